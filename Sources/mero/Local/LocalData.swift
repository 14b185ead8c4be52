import Foundation
import LocalCluster
import MeroKitTestSupport

/// Where `mero local` keeps its cluster.
struct LocalData {
  let keeper: SQLiteKeeper

  /// nil without `--data`.
  init?(_ arguments: Arguments) throws {
    guard let folder = arguments.value("--data") else { return nil }
    guard !folder.isEmpty else { throw UsageError("--data takes a folder") }
    do {
      keeper = try SQLiteKeeper(
        folder: URL(fileURLWithPath: folder, isDirectory: true).path, tell: Self.tell)
    } catch {
      throw LocalError("\(error)")
    }
  }

  @Sendable private static func tell(_ text: String) { Console.error("mero: \(text)") }

  /// The cluster that is kept, or a new one.
  func cloud(nodes: Int, tdx: TestPKI?) throws -> FakeCloud {
    do {
      return try FakeCloud(
        keptBy: keeper, blobBytes: FileBlobBytes(folder: keeper.blobFolder, tell: Self.tell), nodes: nodes,
        tdx: tdx)
    } catch let error as KeepingError {
      throw LocalError("\(error)")
    } catch {
      // A row that means nothing: the file is whole, and is left as it is.
      throw LocalError("\(KeepingError.damaged(keeper.path, reason: "\(error)"))")
    }
  }
}
