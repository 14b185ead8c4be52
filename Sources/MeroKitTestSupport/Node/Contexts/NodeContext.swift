/// A context as the node keeps it: one replicated instance of an app's state, owned by a group.
struct NodeContext {
  let id: String
  var groupId: String
  var applicationId: String
}

/// The contexts a node knows, in the order they came.
struct NodeContexts {
  private var byId: [String: NodeContext] = [:]
  private(set) var ids: [String] = []

  subscript(id: String) -> NodeContext? {
    get { byId[id] }
    set {
      if byId[id] == nil, newValue != nil { ids.append(id) }
      if newValue == nil { ids.removeAll { $0 == id } }
      byId[id] = newValue
    }
  }

  var all: [NodeContext] { ids.compactMap { byId[$0] } }

  func inGroup(_ group: String) -> [NodeContext] { all.filter { $0.groupId == group } }
}
