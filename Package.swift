// swift-tools-version: 6.0
import PackageDescription

#if os(Linux)
  // OpenSSL's libcrypto stands in for CryptoKit; the system loads it already through libcurl.
  let platformCrypto: [Target] = [
    .systemLibrary(
      name: "CLibCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"])])
  ]
  let platformCryptoDependencies: [Target.Dependency] = ["CLibCrypto"]
  // zlib stands in for Apple's Compression.
  let platformCompression: [Target] = [
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])])
  ]
  let platformCompressionDependencies: [Target.Dependency] = ["CZlib"]
  // libcurl carries requests: URLSession on Linux sits on it too, but cannot be kept from sending a request twice.
  let platformHTTP: [Target] = [
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])])
  ]
  let platformHTTPDependencies: [Target.Dependency] = ["CCurl"]
  let databasePackage: String? = "sqlite3"
#else
  let platformCrypto: [Target] = []
  let platformCryptoDependencies: [Target.Dependency] = []
  let platformCompression: [Target] = []
  let platformCompressionDependencies: [Target.Dependency] = []
  let platformHTTP: [Target] = []
  let platformHTTPDependencies: [Target.Dependency] = []
  // SQLite is part of the system and its SDK.
  let databasePackage: String? = nil
#endif

// Only scripts/fuzz.sh builds the fuzz targets: they need a compiler with libFuzzer, and everything they test is built
// with counters for coverage.
let fuzzing: [Target] =
  Context.environment["MERO_FUZZ"] == nil
  ? []
  : [
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "MeroKitTestSupport", "MeroKit", "MeroTrust", "MeroSealed", "MeroHTTP", "MeroCrypto", "MeroWire",
      ],
      path: "Tests/Fuzz", exclude: ["Dictionaries"])
  ]

let package = Package(
  name: "merokit",
  platforms: [.iOS(.v15), .macOS(.v12)],
  products: ["MeroKit", "MeroAPI", "MeroKitTestSupport"].map { .library(name: $0, targets: [$0]) }
    + [.executable(name: "mero", targets: ["mero"])],
  targets: platformCrypto + platformCompression + platformHTTP + fuzzing + [
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: databasePackage, providers: [.apt(["libsqlite3-dev"])]),

    .target(name: "MeroWire"),
    .target(name: "MeroCrypto", dependencies: ["MeroWire"] + platformCryptoDependencies),
    .target(name: "MeroHTTP", dependencies: ["MeroCrypto"] + platformHTTPDependencies),
    .target(name: "MeroSealed", dependencies: ["MeroHTTP", "MeroCrypto", "MeroWire"]),
    .target(name: "MeroTrust", dependencies: ["MeroSealed", "MeroHTTP", "MeroCrypto", "MeroWire"]),
    .target(name: "MeroAPI", dependencies: ["MeroHTTP", "MeroWire"]),
    .target(
      name: "MeroKit",
      dependencies: ["MeroAPI", "MeroTrust", "MeroSealed", "MeroHTTP", "MeroCrypto", "MeroWire"]
        + platformCompressionDependencies),
    .target(
      name: "MeroKitTestSupport",
      dependencies: ["MeroKit", "MeroAPI", "MeroTrust", "MeroSealed", "MeroHTTP", "MeroCrypto", "MeroWire"]),
    .target(
      name: "LocalCluster",
      dependencies: ["MeroKitTestSupport", "MeroCrypto", "MeroHTTP", "MeroWire", "CMicroHTTPD", "CSQLite"]),
    .executableTarget(name: "APIGenerator", dependencies: ["MeroWire"]),
    .executableTarget(
      name: "mero",
      dependencies: [
        "LocalCluster", "MeroKitTestSupport", "MeroKit", "MeroAPI", "MeroTrust", "MeroSealed", "MeroHTTP",
        "MeroCrypto", "MeroWire",
      ]),

    .testTarget(name: "MeroWireTests", dependencies: ["MeroWire"]),
    .testTarget(name: "MeroCryptoTests", dependencies: ["MeroCrypto", "MeroWire"]),
    .testTarget(name: "MeroHTTPTests", dependencies: ["MeroHTTP"]),
    .testTarget(
      name: "MeroSealedTests",
      dependencies: ["MeroSealed", "MeroKitTestSupport", "MeroHTTP", "MeroCrypto", "MeroWire"]),
    .testTarget(
      name: "MeroTrustTests",
      dependencies: ["MeroTrust", "MeroKitTestSupport", "MeroHTTP", "MeroCrypto", "MeroWire"]),
    .testTarget(name: "MeroAPITests", dependencies: ["MeroAPI", "MeroHTTP", "MeroWire"]),
    .testTarget(name: "APIGeneratorTests", dependencies: ["APIGenerator", "MeroWire"]),
    .testTarget(
      name: "MeroKitTests",
      dependencies: [
        "MeroKit", "LocalCluster", "MeroKitTestSupport", "MeroAPI", "MeroTrust", "MeroSealed", "MeroHTTP",
        "MeroCrypto", "MeroWire",
      ],
      resources: [.copy("Vectors")]),
    .testTarget(
      name: "MeroKitTestSupportTests",
      dependencies: [
        "MeroKitTestSupport", "MeroKit", "MeroAPI", "MeroSealed", "MeroTrust", "MeroHTTP", "MeroCrypto",
        "MeroWire",
      ]),
    .testTarget(
      name: "LocalClusterTests",
      dependencies: ["LocalCluster", "MeroKitTestSupport", "MeroKit", "MeroHTTP", "MeroWire"]),
    .testTarget(
      name: "MeroToolTests",
      dependencies: [
        "mero", "LocalCluster", "MeroKitTestSupport", "MeroKit", "MeroTrust", "MeroCrypto", "MeroHTTP",
        "MeroWire",
      ]),
    .testTarget(
      name: "ConformanceTests", dependencies: ["mero", "MeroWire"], resources: [.copy("Vectors")]),
  ],
  swiftLanguageModes: [.v6]
)
