import Testing

@testable import MeroKitTestSupport

@Suite("Permissions of a node")
struct NodePermissionTests {
  static let cases: [(held: String, needed: String, isCovered: Bool)] = [
    ("admin", "context:list", true), ("admin", "keys:delete", true), ("blob", "blob:add:stream", true),
    ("blob:add", "blob:add:stream", true), ("blob:add:stream", "blob:add", false),
    ("namespace", "namespace:manage[aa]", true), ("group:list", "group:manage", false),
    ("context", "context:list", false), ("context", "context", true),
    ("context:list", "context:list[aa]", true),
    ("context:list[aa]", "context:list[aa]", true), ("context:list[aa]", "context:list[bb]", false),
    ("context:list[aa]", "context:list", false),
    ("context:execute[aa]", "context:execute[aa,me,get]", true),
    ("context:execute[aa,me,get]", "context:execute[aa]", false),
    ("context:alias", "context:alias:create:context", true),
    ("application:list[aa]", "application:list", false),
    ("applications", "application:list", false),
  ]

  @Test("a permission covers what is below it and what is narrower", arguments: cases)
  func coverage(_ one: (held: String, needed: String, isCovered: Bool)) {
    #expect(NodePermission(one.held).covers(NodePermission(one.needed)) == one.isCovered)
  }

  @Test("a permission is written as it was read")
  func texts() {
    for text in ["admin", "blob:add:stream", "context:execute[aa,me,get]", "context[aa,me]"] {
      #expect(NodePermission(text).text == text)
    }
  }
}
