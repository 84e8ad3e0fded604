import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct MissingElementsTests {
    private func missing(_ names: String...) throws -> MissingElements {
        try #require(MissingElements(NeededElement.all.filter { names.contains($0.name) }))
    }

    @Test func `nothing missing is no finding`() {
        #expect(MissingElements([]) == nil)
    }

    @Test func `each package is named once`() throws {
        let three = try missing("webrtcbin", "dtlsdec", "nicesrc")
        #expect(three.packages(of: .debian) == ["gstreamer1.0-plugins-bad", "gstreamer1.0-nice"])
    }

    @Test(arguments: [
        ("NAME=\"Debian GNU/Linux\"\nID=debian\n", PackageFamily.debian),
        ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", .debian), ("ID=\"fedora\"", .fedora),
        ("ID=\"almalinux\"\nID_LIKE=\"rhel centos fedora\"", .fedora), ("ID='manjaro'\nID_LIKE='arch'", .arch),
    ])
    func `a system is known by its release file`(text: String, family: PackageFamily) {
        #expect(PackageFamily(release: text) == family)
    }

    @Test(arguments: ["", "ID", "ID=", "ID=plan9", "debian", "=debian"])
    func `what says nothing of a known family is none`(text: String) {
        #expect(PackageFamily(release: text) == nil)
    }
}
