import Testing

@testable import TestSupport

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

    /// An apt that has a list, of the release by default, and knows these packages.
    private static func apt(
        _ shell: SetupShell, knows packages: [String],
        list: String = "v=13.0,o=Debian,a=stable,n=trixie,l=Debian,c=main,b=amd64"
    ) throws {
        try shell.program(
            "apt-cache",
            """
            if [[ $# -eq 1 ]]; then printf '  release %s\\n' a=now \(list); exit; fi
            case " \(packages.joined(separator: " ")) " in
            *" $2 "*) printf '%s:\\n  Candidate: 1.0\\n' "$2" ;;
            *) printf '%s:\\n  Candidate: (none)\\n' "$2" ;;
            esac
            """)
    }

    @Test func `a package that the release has not got is left out where the list allows it, and told to the tests`()
        async throws
    {
        let shell = try SetupShell()
        try Self.apt(shell, knows: ["git"])
        let outcome = try await shell.run(
            "missing=(git janus); leave_out >/dev/null; echo ${missing[*]}, $PARLEY_ABSENT")
        #expect(outcome.lines == ["git, janus"])
        let said = try await shell.run("missing=(janus); leave_out")
        #expect(said.lines.count == 1 && said.lines[0].contains("no package janus"))
    }

    @Test func `a package that has to be there stays missing, known or not`() async throws {
        let shell = try SetupShell()
        try Self.apt(shell, knows: ["janus"])
        let outcome = try await shell.run("missing=(coturn janus); leave_out; echo ${missing[*]}, ${PARLEY_ABSENT:-}")
        #expect(outcome.lines == ["coturn janus,"])
    }

    @Test(arguments: [
        ("v=13.0,o=Debian,a=stable,n=trixie,l=Debian,c=main,b=amd64", true),
        ("v=22.04,o=Ubuntu,a=jammy,n=jammy,l=Ubuntu,c=main,b=amd64", true),
        ("v=13,o=Debian,a=stable-security,n=trixie-security,l=Debian-Security,c=main,b=amd64", false), ("", false),
    ])
    func `nothing is left out before there is the list of the release itself`(_ list: String, _ isIt: Bool) async throws
    {
        let shell = try SetupShell()
        try Self.apt(shell, knows: [], list: list)
        #expect(try await shell.run("has_package_lists").status == (isIt ? 0 : 1))
    }

    @Test(arguments: [
        ("janus", true), ("chromium janus", true), ("", false), ("jan", false), ("chromium", false),
    ])
    func `a test whose package the release has not got is no failure`(_ absent: String, _ isAbsent: Bool) {
        #expect(
            SkippedTests.isAbsentHere("Janus is not installed (package janus).", ["PARLEY_ABSENT": absent]) == isAbsent)
    }
}
