// swift-tools-version: 6.1
import PackageDescription

// One target a floor, ground first. A floor imports only floors below it (docs/architecture.md).

let package = Package(
    name: "Parley",
    products: [
        .library(name: "Parley", targets: ["Parley"]),
        .executable(name: "parley", targets: ["ParleyDesktop"]),
        .executable(name: "parley-cli", targets: ["ParleyCLI"]),
        .executable(name: "parley-relay", targets: ["ParleyRelay"]),
        .executable(name: "parley-bench", targets: ["ParleyBench"]),
    ],
    // Exactly these versions; docs/dependencies.md says when each was looked at.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
    ],
    targets: [
        // Ground: one module map a C library.
        .systemLibrary(
            name: "CGLib", pkgConfig: "gobject-2.0 gio-2.0 gio-unix-2.0",
            providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(
            name: "CGtk", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
        .systemLibrary(
            name: "CGStreamer",
            pkgConfig: """
                gstreamer-webrtc-1.0 gstreamer-app-1.0 gstreamer-video-1.0 gstreamer-audio-1.0 \
                gstreamer-rtp-1.0 gstreamer-sdp-1.0 gstreamer-base-1.0
                """,
            providers: [
                .apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev", "libgstreamer-plugins-bad1.0-dev"])
            ]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libssl libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CTimex"),
        // Timers as files, names of threads; a header alone.
        .systemLibrary(name: "CThreads"),
        // Counts allocations, for parley-bench; a header alone.
        .systemLibrary(name: "CAllocations"),
        .systemLibrary(
            name: "CSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
        .systemLibrary(
            name: "CPulse", pkgConfig: "libpulse", providers: [.apt(["libpulse-dev"])]),
        .systemLibrary(
            name: "CPipeWire", pkgConfig: "libpipewire-0.3", providers: [.apt(["libpipewire-0.3-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(
            name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CX11", pkgConfig: "x11", providers: [.apt(["libx11-dev"])]),
        .systemLibrary(
            name: "CMiniUPnPc", pkgConfig: "miniupnpc", providers: [.apt(["libminiupnpc-dev"])]),
        .systemLibrary(
            name: "CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0", providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),
        .systemLibrary(
            name: "CAtspi", pkgConfig: "atspi-2", providers: [.apt(["libatspi2.0-dev"])]),

        // What every floor may use: news for many listeners, moments of the clock, threads.
        .target(
            name: "BaseKit",
            dependencies: [
                "CThreads",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ]),

        // Text for terminals and logs, for the programs.
        .target(name: "TerminalText", dependencies: [.product(name: "Logging", package: "swift-log")]),

        // The protocol floors.
        .target(name: "GLibKit", dependencies: ["CGLib"]),
        .target(name: "Portal", dependencies: ["BaseKit", "GLibKit", "CGLib"]),
        .target(
            name: "DesktopSession",
            dependencies: ["BaseKit", "Portal", "GLibKit", "CGLib", .product(name: "Logging", package: "swift-log")]),
        .target(name: "Notifications", dependencies: ["BaseKit", "Portal"]),
        .target(name: "CallControl", dependencies: ["BaseKit", "Portal"]),
        .target(name: "Cryptography", dependencies: ["COpenSSL", "CSodium"]),
        .target(name: "TLS", dependencies: ["Cryptography", "COpenSSL"]),
        // Its sessions between the buffers of NIO's channels.
        .target(name: "TLSChannels", dependencies: ["TLS", .product(name: "NIOCore", package: "swift-nio")]),
        .target(name: "STUN", dependencies: ["COpenSSL"]),
        .target(name: "Keyring", dependencies: ["BaseKit", "GLibKit", "CGLib", "CSecret", "Cryptography", "Portal"]),
        .target(name: "SMP", dependencies: ["Cryptography"]),
        .target(
            name: "LocalNetwork",
            dependencies: [
                "BaseKit", "Portal", "Cryptography",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "PortMapping",
            dependencies: [
                "BaseKit", "CMiniUPnPc",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "SMPSession", dependencies: ["BaseKit", "SMP", "TLS", "Cryptography", "COpenSSL"]),
        .target(
            name: "SMPTransport",
            dependencies: [
                "BaseKit", "SMPSession", "SMP", "TLSChannels", "Cryptography",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "RelayRules",
            dependencies: [
                "BaseKit", "SMPSession", "SMP", "STUN", "Cryptography",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "Relay",
            dependencies: [
                "BaseKit", "RelayRules", "SMPTransport", "SMPSession", "SMP", "Cryptography",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        // What an operator says of a relay, and the file it stands in.
        .target(name: "RelaySettings", dependencies: ["SMP", .product(name: "TOMLKit", package: "TOMLKit")]),
        .target(name: "AgentProtocol", dependencies: ["SMP", "Cryptography"]),
        .target(
            name: "Agent",
            dependencies: [
                "BaseKit", "AgentProtocol", "SMPTransport", "SMPSession", "SMP", "Cryptography",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "Signaling", dependencies: ["Cryptography", "CZstd"]),
        .target(
            name: "SFURules", dependencies: ["BaseKit", "Signaling", "Cryptography", "COpenSSL"]),
        .target(
            name: "SFU",
            dependencies: [
                "BaseKit", "SFURules", "Signaling", "TLS", "TLSChannels",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "Pictures", dependencies: ["Signaling", "GLibKit", "CGLib", "CGdkPixbuf"]),
        .target(name: "QRCodes", dependencies: ["CQRencode"]),
        .target(
            name: "Calling",
            dependencies: ["BaseKit", "Signaling", "Cryptography", .product(name: "Logging", package: "swift-log")]),
        .target(
            name: "MediaRules", dependencies: ["BaseKit", "STUN", "Cryptography", "COpenSSL"],
            // GStreamer's elements and their packages, which meson-helpers/setup reads, too.
            resources: [.embedInCode("Elements/elements.txt")]),
        .target(name: "SFUPort", dependencies: ["MediaRules", "SFU", "SFURules", "Signaling", "Cryptography"]),
        .target(
            name: "Media",
            dependencies: [
                "BaseKit", "MediaRules", "STUN", "GLibKit", "Portal", "TLS", "CGStreamer", "CPulse", "CPipeWire",
                "COpenSSL", "Cryptography",
            ]),

        // The façade and the programs.
        .target(
            name: "Parley",
            dependencies: [
                "BaseKit", "Agent", "AgentProtocol", "LocalNetwork", "PortMapping", "Relay", "Signaling", "Calling",
                "Media",
                "MediaRules", "Keyring", "Pictures", "SMP", "SMPSession", "SMPTransport", "Cryptography",
                "SFU", "SFUPort", "SFURules", "TerminalText",
                "CTimex",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // What people read of all that lies below, and its translation.
        .target(
            name: "Wording",
            dependencies: [
                "Parley", "Agent", "BaseKit", "CallControl", "Calling", "Cryptography", "Keyring", "LocalNetwork",
                "Media", "MediaRules", "Pictures", "PortMapping", "SFU", "SFURules", "Signaling",
                "Portal", "Relay", "RelayRules", "SMPSession", "CGLib",
            ]),
        // The user's guide of docs/guide as a value.
        .target(name: "UserGuide"),
        .target(
            name: "DesktopApplication",
            dependencies: [
                "UserGuide", "Wording", "Parley", "Agent", "BaseKit", "Calling", "Signaling", "Pictures", "QRCodes",
                "Media", "MediaRules", "SFU", "SFURules",
                "DesktopSession",
                "CallControl", "Notifications", "Portal", "GLibKit", "CGtk", "CX11", "TerminalText",
                .product(name: "Logging", package: "swift-log"),
            ],
            plugins: ["EmbedResources"]),
        .executableTarget(
            name: "ParleyDesktop", dependencies: ["DesktopApplication", "BaseKit"],
            // A program's start looks for each symbol in one library after the other: those that have most of them come first.
            linkerSettings: [.linkedLibrary("c"), .linkedLibrary("glib-2.0"), .linkedLibrary("gobject-2.0")]),
        .executableTarget(
            name: "ParleyCLI",
            dependencies: [
                "Wording", "Parley", "BaseKit", "CallControl", "Calling", "Signaling", "Pictures", "Media",
                "MediaRules", "PortMapping", "SFURules",
                "Portal", "Cryptography", "TerminalText",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "ParleyRelay",
            dependencies: [
                "Relay", "RelayRules", "RelaySettings", "SMPTransport", "SMPSession", "SMP", "TerminalText",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "ParleyBench",
            dependencies: [
                "Agent", "BaseKit", "Calling", "DesktopApplication", "Media", "MediaRules", "Parley", "Signaling",
                "GLibKit", "CGStreamer", "CGtk", "CAllocations", "COpenSSL", "CPulse", "NetworkEmulation",
                "SMPTransport", "SMPSession", "SMP", "SFU", "SFUPort", "SFURules", "Cryptography", "TerminalText",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            // The page of a measured call's browser.
            resources: [.embedInCode("Call/Page/call.html")]),

        // Tools for tests and benchmarks; nothing that people install imports them.
        .target(
            name: "NetworkEmulation",
            dependencies: ["BaseKit", .product(name: "DequeModule", package: "swift-collections")],
            resources: [.embedInCode("Plans")]),

        // Compiles resources/ into the program with glib-compile-resources.
        .plugin(name: "EmbedResources", capability: .buildTool(), path: "Plugins/EmbedResources"),

        // Tests mirror the targets.
        .target(name: "TestSupport", dependencies: ["BaseKit"], path: "Tests/TestSupport"),
        // Ways to a relay that a test can cut.
        .target(
            name: "TestTunnels",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ], path: "Tests/TestTunnels"),
        // The process's first thread as a place for tests.
        .target(
            name: "MainThreadSupport", dependencies: ["CGLib", "TestSupport"], path: "Tests/MainThreadSupport"),
        // meson-helpers, which builds and tests begin with.
        .testTarget(name: "SetupTests", dependencies: ["TestSupport"]),
        .testTarget(
            name: "TerminalTextTests",
            dependencies: ["TerminalText", "TestSupport", .product(name: "Logging", package: "swift-log")]),
        .testTarget(name: "BaseKitTests", dependencies: ["BaseKit", "TestSupport"]),
        .testTarget(name: "GLibKitTests", dependencies: ["GLibKit", "MainThreadSupport", "TestSupport"]),
        // A desktop's portal for tests, on a bus of its own.
        .target(name: "FakePortal", dependencies: ["Portal", "TestSupport"], path: "Tests/FakePortal"),
        .testTarget(name: "PortalTests", dependencies: ["Portal", "FakePortal", "TestSupport"]),
        .testTarget(
            name: "DesktopSessionTests",
            dependencies: [
                "DesktopSession", "BaseKit", "GLibKit", "Portal", "FakePortal", "FakeNotifications", "TestSupport",
            ]),
        .testTarget(name: "CallControlTests", dependencies: ["CallControl", "Portal", "FakePortal", "TestSupport"]),
        // A notification server that does what no real one does.
        .target(name: "FakeNotifications", dependencies: ["Portal"], path: "Tests/FakeNotifications"),
        .testTarget(
            name: "NotificationsTests",
            dependencies: ["Notifications", "Portal", "BaseKit", "FakePortal", "FakeNotifications", "TestSupport"]),
        .testTarget(name: "CryptographyTests", dependencies: ["Cryptography", "TestSupport"]),
        .testTarget(
            name: "LocalNetworkTests",
            dependencies: ["LocalNetwork", "Portal", "Cryptography", "NetworkEmulation", "TestSupport"]),
        .testTarget(
            name: "PortMappingTests",
            dependencies: [
                "PortMapping", "BaseKit", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .testTarget(name: "STUNTests", dependencies: ["STUN", "TestSupport"]),
        .testTarget(name: "SMPTests", dependencies: ["SMP", "TestSupport"]),
        // A relay without network, and certificates of every kind.
        .target(
            name: "RelayFixtures", dependencies: ["RelayRules", "SMPSession", "SMP", "Cryptography"],
            path: "Tests/RelayFixtures"),
        .testTarget(
            name: "SMPSessionTests",
            dependencies: ["SMPSession", "SMP", "Cryptography", "COpenSSL", "RelayFixtures", "TestSupport"]),
        .testTarget(
            name: "SMPTransportTests",
            dependencies: [
                "BaseKit", "SMPTransport", "SMPSession", "Cryptography", "RelayFixtures", "TestSupport",
            ]),
        .testTarget(
            name: "RelayRulesTests",
            dependencies: [
                "BaseKit", "RelayRules", "SMPSession", "SMP", "STUN", "Cryptography", "RelayFixtures", "TestSupport",
            ]),
        .testTarget(
            name: "RelayTests",
            dependencies: [
                "BaseKit", "STUN", "Relay", "RelayRules", "SMPTransport", "SMPSession", "ProxyProbe", "RelayFixtures",
                "TestSupport",
            ]),
        // A proxying relay and its client for a test that gives them a network of their own; not installed.
        .executableTarget(
            name: "ProxyProbe",
            dependencies: [
                "Relay", "RelayRules", "SMP", "SMPSession", "SMPTransport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/ProxyProbe"),
        .testTarget(
            name: "AgentProtocolTests", dependencies: ["AgentProtocol", "SMP", "Cryptography", "TestSupport"]),
        .testTarget(
            name: "AgentTests",
            dependencies: [
                "BaseKit", "Agent", "AgentProtocol", "Relay", "RelayRules", "SMP", "SMPSession", "SMPTransport",
                "Cryptography", "TestSupport", "TestTunnels",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        // An agent for the tests that kill processes; not installed.
        .executableTarget(
            name: "SoakClient",
            dependencies: [
                "Agent", "SMP", "SMPSession", "SMPTransport", "Cryptography",
                .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/SoakClient"),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "BaseKit", "Agent", "AgentProtocol", "Relay", "RelayRules", "SMP", "SMPSession", "SMPTransport",
                "Cryptography", "CSodium", "ParleyRelay", "SoakClient", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(name: "SignalingTests", dependencies: ["Signaling", "TestSupport"]),
        .testTarget(
            name: "SFURulesTests", dependencies: ["SFURules", "Signaling", "BaseKit", "TestSupport"]),
        .testTarget(
            name: "SFUTests",
            dependencies: [
                "SFU", "SFURules", "Signaling", "BaseKit", "STUN", "COpenSSL", "TestSupport", "TestTunnels",
            ]),
        .testTarget(
            name: "PicturesTests", dependencies: ["Pictures", "Signaling", "CGLib", "CGdkPixbuf", "TestSupport"]),
        .testTarget(name: "UserGuideTests", dependencies: ["UserGuide", "TestSupport"]),
        .testTarget(name: "QRCodesTests", dependencies: ["QRCodes", "TestSupport"]),
        .testTarget(name: "CallingTests", dependencies: ["Calling", "BaseKit", "TestSupport"]),
        .testTarget(
            name: "MediaRulesTests", dependencies: ["MediaRules", "STUN", "BaseKit", "Cryptography", "TestSupport"]),
        .testTarget(
            name: "MediaTests",
            dependencies: [
                "Media", "MediaRules", "STUN", "BaseKit", "GLibKit", "Portal", "FakePortal", "CGStreamer", "COpenSSL",
                "Cryptography", "QRCodes", "Pictures", "SFU", "SFUPort", "SFURules", "Signaling", "TestSupport",
                "TestTunnels",
            ],
            exclude: ["Browser/Page"]),
        .testTarget(
            name: "ParleyTests",
            dependencies: [
                "Parley", "Wording", "Agent", "BaseKit", "Relay", "Calling", "Signaling", "Media", "MediaRules",
                "Keyring", "LocalNetwork", "Pictures", "PortMapping", "Portal",
                "SFU", "SFURules", "SMP", "SMPSession", "Cryptography", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "WordingTests",
            dependencies: [
                "Wording", "Parley", "Agent", "BaseKit", "CallControl", "Calling", "Keyring", "Media", "MediaRules",
                "PortMapping", "Portal", "Relay", "SFU", "SFURules", "SMPSession", "Signaling", "TestSupport",
            ]),
        // The windows with pretended calls, for work on them and for their tests; not installed.
        .executableTarget(
            name: "FakeCalls",
            dependencies: [
                "BaseKit", "Calling", "DesktopApplication", "Media", "MediaRules", "Parley", "SFU", "SFURules",
                "Signaling",
            ],
            path: "Tests/FakeCalls"),
        .testTarget(
            name: "ParleyDesktopTests",
            dependencies: [
                "BaseKit", "Calling", "ParleyDesktop", "DesktopApplication", "FakeCalls", "CallControl",
                "DesktopSession",
                "Wording", "Agent", "Parley", "MediaRules", "Notifications", "FakeNotifications", "FakePortal",
                "Portal", "QRCodes", "UserGuide",
                "GLibKit", "CGtk", "CAtspi", "MainThreadSupport", "TestSupport", "TestTunnels",
            ]),
        .testTarget(
            name: "ParleyCLITests",
            dependencies: [
                "BaseKit", "ParleyCLI", "ParleyRelay", "Parley", "CallControl", "Calling", "Media", "MediaRules",
                "NetworkEmulation", "Portal", "FakePortal", "SFURules", "Signaling", "TestSupport", "TestTunnels",
            ]),
        .testTarget(
            name: "ParleyRelayTests",
            dependencies: [
                "ParleyRelay", "Relay", "RelayRules", "RelaySettings", "SMP", "SMPSession", "SMPTransport",
                "TestSupport",
            ]),
        .testTarget(name: "NetworkEmulationTests", dependencies: ["NetworkEmulation", "BaseKit", "TestSupport"]),
        .testTarget(
            name: "ParleyBenchTests",
            dependencies: ["ParleyBench", "ParleyRelay", "NetworkEmulation", "TerminalText", "TestSupport"]),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "AgentProtocol", "RelayRules", "RelaySettings", "Signaling", "Calling", "MediaRules", "SFURules",
                "BaseKit",
                "SMPSession", "SMP", "Cryptography", "CGStreamer", "TestSupport",
            ],
            exclude: ["Program", "Corpus", "Dictionaries"]),
    ]
)

// Only for meson-helpers/fuzz (docs/fuzzing.md): the fuzzer, and of the floors those it is built of, instrumented. None of
// them does I/O, so NIO, GRDB and GStreamer's floors are not built a second time.
if let runtime = Context.environment["PARLEY_FUZZ"] {
    let instrumented: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing", "-g"])]
    let tests = package.targets.first { $0.name == "FuzzTests" }!
    let fuzzer = Target.executableTarget(
        name: "ParleyFuzz", dependencies: tests.dependencies, path: "Tests/FuzzTests",
        sources: ["Program", "Seeds", "Targets"],
        linkerSettings: [.unsafeFlags(["-sanitize=address", "-use-ld=lld", runtime, "-lstdc++"])])
    var floors = [fuzzer]
    var next = 0
    while next < floors.count {
        for case .byNameItem(let name, _) in floors[next].dependencies
        where !floors.contains(where: { $0.name == name }) {
            floors.append(package.targets.first { $0.name == name }!)
        }
        next += 1
    }
    for floor in floors where floor.type != .system && floor.name != "TestSupport" {
        floor.swiftSettings = instrumented
    }
    // It asks for what a machine has in the words of Swift Testing, which the fuzzer is built without.
    floors.first { $0.name == "TestSupport" }?.exclude = ["Need.swift"]
    package.products = []
    package.targets = floors
}
