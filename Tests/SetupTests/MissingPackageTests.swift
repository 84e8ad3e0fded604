import Testing

/// Which packages the set-up takes for installed on Debian.
@Suite(.timeLimit(.minutes(5))) struct MissingPackageTests {
    /// Every state of dpkg(1), "PACKAGE STATES".
    @Test(arguments: [
        ("not-installed", false), ("config-files", false), ("half-installed", false), ("unpacked", false),
        ("half-configured", false), ("triggers-awaited", false), ("triggers-pending", true), ("installed", true),
    ])
    func `only states that satisfy dependencies count as installed`(_ state: String, _ isInstalled: Bool) async throws {
        let shell = try SetupShell()
        try shell.dpkg(knows: "webrtc", as: ["\(state) amd64"])
        #expect(try await shell.run("missing_of debian webrtc").lines == (isInstalled ? [] : ["webrtc"]))
    }

    @Test(arguments: [
        (["installed amd64", "installed i386"], true), (["not-installed amd64", "installed i386"], false),
        (["config-files i386", "installed amd64"], true), (["installed i386"], false),
        (["unpacked amd64", "installed i386"], false), (["installed all"], true),
    ])
    func `of several architectures this machine's decides`(_ states: [String], _ isInstalled: Bool) async throws {
        let shell = try SetupShell()
        try shell.dpkg(knows: "webrtc", as: states)
        #expect(try await shell.run("missing_of debian webrtc").lines == (isInstalled ? [] : ["webrtc"]))
    }

    @Test func `a package that dpkg has never heard of is missing, without a word of dpkg's`() async throws {
        let shell = try SetupShell()
        try shell.dpkg(knows: "webrtc", as: ["installed amd64"])
        let outcome = try await shell.run("missing_of debian nice webrtc opus")
        #expect(outcome.lines == ["nice", "opus"])
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
    }
}
