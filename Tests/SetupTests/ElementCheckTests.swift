import Foundation
import TestSupport
import Testing

/// Whether the set-up notices that GStreamer can't make what a call needs, though every package is there.
@Suite(.timeLimit(.minutes(5))) struct ElementCheckTests {
    /// A GStreamer that can make everything but this.
    private func shell(without name: String, system: String = "debian") throws -> SetupShell {
        let shell = try SetupShell(system: system)
        try shell.program("gst-inspect-1.0", "[[ ${@: -1} != \(name) ]]")
        return shell
    }

    @Test(arguments: [
        ("debian", "gstreamer1.0-nice"), ("fedora", "libnice-gstreamer1"), ("arch", "libnice"),
        ("unheard-of", "gstreamer1.0-nice"),
    ])
    func `what every call needs is named with its package, and ends the set-up`(
        _ system: String, _ package: String
    ) async throws {
        let outcome = try await shell(without: "nicesrc", system: system).run("check_elements; echo on")
        #expect(outcome.status == 1)
        #expect(outcome.lines.contains { $0.contains("nicesrc") && $0.contains("the package \(package) ") })
        #expect(!outcome.lines.contains("on"))
        #expect(outcome.errors.contains("there is no call without them"))
    }

    @Test(arguments: ["webrtcdsp", "v4l2deviceprovider"])
    func `what only a part of calls needs is named, and the set-up goes on`(_ name: String) async throws {
        let outcome = try await shell(without: name).run("check_elements; echo on")
        #expect(outcome.status == 0)
        #expect(outcome.lines.contains { $0.contains("\(name), which is in the package gstreamer1.0-") })
        #expect(outcome.lines.last == "on")
    }

    @Test func `programs that are to run are checked, builds alone are not`() async throws {
        let nothing = "check_swift() { :; }; check_packages() { :; }"
        let shell = try shell(without: "webrtcbin")
        #expect(try await shell.run("\(nothing); prepare build run").status == 1)
        #expect(try await shell.run("\(nothing); prepare build").status == 0)
    }

    @Test func `this machine's GStreamer can make everything`() async throws {
        let outcome = try await SetupShell().run("check_elements")
        #expect(outcome.lines == ["GStreamer can make everything a call needs."])
        #expect(outcome.status == 0)
    }

    @Test(arguments: ["debian", "fedora", "arch"])
    func `every package with an element is one that the set-up installs`(_ family: String) async throws {
        let elements = try String(
            contentsOf: Vectors.repository.appendingPathComponent("Sources/MediaRules/Elements/elements.txt"),
            encoding: .utf8)
        let column = try #require(["debian": 2, "fedora": 3, "arch": 4][family])
        let packages = Set(
            elements.split(separator: "\n").filter { !$0.hasPrefix("#") }
                .map { String($0.split(separator: " ")[column]) })
        let installed = try await SetupShell().run("packages_of \(family) run").lines
        // GStreamer's core comes with the others.
        let core: Set = ["libgstreamer1.0-0", "gstreamer1", "gstreamer"]
        #expect(packages.subtracting(installed).subtracting(core) == [])
        #expect(packages.count > 5)
    }
}
