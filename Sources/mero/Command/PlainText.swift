extension String {
  /// The text on one line, without anything that a terminal would act on: a name that comes from elsewhere must not move the cursor,
  /// turn lines around or hide what was printed before.
  var printable: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case _ where scalar == "\t": result.unicodeScalars.append(scalar)
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate:
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// JSON text whose characters a terminal would act upon, or not show, are written as escapes: the same value.
  var printableJSON: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse:
        for unit in String(scalar).utf16 { result += "\\u" + String(format: "%04x", unit) }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
