import Foundation
import MeroHTTP
import MeroWire

/// The login page of a node, for people with a browser (10 §2.5, §2.6).
enum LoginRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(.get, "/auth/login", "public", show),
    NodeRoute(.post, "/auth/login", "public", body: .raw, submit),
  ]

  private static let show: NodeHandler = { state, exchange in
    let ask = LoginAsk(exchange.query)
    do throws(NodeRefusal) {
      let destination = try ask.destination(at: exchange.nodeURL, besides: state.loginDestinations)
      return .response(LoginPage.form(ask, to: destination, isFirst: state.auth.awaitsOwner))
    } catch { return .response(LoginPage.refusal(error)) }
  }

  private static let submit: NodeHandler = { state, exchange in
    do throws(NodeRefusal) { try checkSender(exchange) } catch {
      return .response(LoginPage.refusal(error))
    }
    let form = NodeExchange.readQuery(String(decoding: exchange.body, as: UTF8.self)[...])
    let ask = LoginAsk(form)
    let destination: LoginDestination
    do throws(NodeRefusal) {
      destination = try ask.destination(at: exchange.nodeURL, besides: state.loginDestinations)
    } catch { return .response(LoginPage.refusal(error)) }
    let name = form["username"] ?? ""
    let isFirst = state.auth.awaitsOwner
    do throws(NodeRefusal) {
      state.counters.tokenCalls += 1
      let door = LoginThrottle.Door(method: "user_password", publicKey: name)
      let root = try state.logIn(at: door, now: exchange.seconds) { state throws(NodeRefusal) in
        try state.key(of: name, password: form["password"] ?? "", at: exchange.seconds)
      }
      let pair = try state.tokens(for: ask, below: root, at: exchange.seconds)
      return .response(PageFrame.redirect(to: callback(ask, pair, state, exchange)))
    } catch {
      return .response(
        LoginPage.form(ask, to: destination, isFirst: isFirst, username: name, refusal: error))
    }
  }

  /// A form of another site's must not log anybody in, or become a new node's owner: browsers say where it comes from.
  private static func checkSender(_ exchange: NodeExchange) throws(NodeRefusal) {
    let type = exchange.headers["content-type"]?.split(separator: ";").first.map(String.init) ?? ""
    guard type.lowercased() == "application/x-www-form-urlencoded" else {
      throw NodeRefusal(415, "This is not the form of the login page.", .text)
    }
    guard !PageSender.isElsewhere(exchange.headers, than: exchange.nodeURL) else {
      throw NodeRefusal(403, "The form was sent from another site.", .text)
    }
  }

  /// Where the browser goes with the tokens: in the fragment, which no server on the way sees.
  private static func callback(
    _ ask: LoginAsk, _ pair: NodeAuth.Pair, _ state: NodeState, _ exchange: NodeExchange
  ) -> String {
    let application = state.applications.named(ask.packageName)?.id ?? ""
    let fields = [
      ("access_token", pair.access), ("refresh_token", pair.refresh), ("application_id", application),
      ("context_id", ""), ("context_identity", ""), ("node_url", exchange.nodeURL),
    ]
    return "\(ask.callback)#" + fields.map { "\($0.0)=\(formText($0.1))" }.joined(separator: "&")
  }

  /// A value of a form: letters, digits and `*-._` stay, every other byte is escaped.
  private static func formText(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: formCharacters) ?? ""
  }

  private static let formCharacters = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._")
}

extension NodeState {
  /// The tokens of a login: the owner's own for one that asks for everything, else those of a client key.
  fileprivate mutating func tokens(
    for ask: LoginAsk, below root: NodeKey, at now: Int64
  ) throws(NodeRefusal) -> NodeAuth.Pair {
    guard !ask.permissions.isEmpty else {
      throw NodeRefusal(400, "The login asks for no permission.", .text)
    }
    if ask.permissions == ["admin"], root.permissions.contains("admin") {
      return auth.mint(for: root, at: now)
    }
    return try auth.make(
      ClientGrant(name: ask.packageName.isEmpty ? "login" : ask.packageName, permissions: ask.permissions),
      below: root, at: now)
  }
}
