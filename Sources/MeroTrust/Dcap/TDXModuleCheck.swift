/// Requires that the TDX module is the one Intel describes, and gives its level (50 §3.9); nil for a module without a
/// version, which the platform's levels judge.
func levelOfTDXModule(_ report: TDReport, _ info: TCBInfo) throws(TrustError) -> SvnLevel? {
  guard let unversioned = info.module else {
    throw .refused(.tdxModule, "the TCB info does not describe the TDX module")
  }
  let svn = [UInt8](report.teeTcbSvn.prefix(2))
  let isVersioned = svn[1] > 0
  let identity: ModuleIdentity
  if isVersioned {
    guard let found = info.identity(ofVersion: svn[1]) else {
      throw .refused(.tdxModule, "Intel does not know a TDX module of version \(svn[1])")
    }
    identity = found
  } else {
    identity = unversioned
  }
  guard report.mrSignerSeam.elementsEqual(identity.mrSigner) else {
    throw .refused(.tdxModule, "the TDX module is not signed by Intel")
  }
  // Bits that the mask leaves open must be off: nobody says what they would mean.
  let mask = identity.attributesMask
  guard report.seamAttributes.agrees(with: identity.attributes, where: mask),
    zip(report.seamAttributes, mask).allSatisfy({ $0 & ~$1 == 0 })
  else { throw .refused(.tdxModule, "the TDX module runs with other attributes than Intel's") }
  guard isVersioned else { return nil }
  guard let level = identity.levels.first(for: Int(svn[0])) else {
    throw .refused(.tdxModule, "the TDX module (SVN \(svn[0])) is older than any that Intel still knows")
  }
  return level
}
