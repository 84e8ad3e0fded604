import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct MissingElementsTests {
    private func missing(_ names: String...) throws -> MissingElements {
        try #require(MissingElements(NeededElement.all.filter { names.contains($0.name) }))
    }

    @Test func `nothing missing is no finding`() {
        #expect(MissingElements([]) == nil)
    }

    @Test func `one element is named with its package`() throws {
        let sentence = try missing("webrtcbin").sentence(.debian)
        #expect(
            sentence
                == "Calls are not possible: GStreamer’s “webrtcbin” is missing; install gstreamer1.0-plugins-bad.")
        #expect(try missing("nicesrc").sentence(.fedora).hasSuffix("install libnice-gstreamer1."))
        #expect(try missing("nicesrc").sentence(.arch).hasSuffix("install libnice."))
    }

    @Test func `several are one sentence, with each package once`() throws {
        let two = try missing("webrtcbin", "dtlsdec", "nicesrc")
        #expect(two.packages(of: .debian) == ["gstreamer1.0-plugins-bad", "gstreamer1.0-nice"])
        let sentence = two.sentence(.debian)
        #expect(sentence.contains("“dtlsdec”, “webrtcbin” and “nicesrc” are missing"))
        #expect(sentence.hasSuffix("install gstreamer1.0-plugins-bad and gstreamer1.0-nice."))
    }

    @Test func `many are counted`() throws {
        let all = try #require(MissingElements(NeededElement.all.filter { $0.use == .call }))
        #expect(all.names == "“capsfilter”, “clocksync”, “fakesink” and \(all.elements.count - 3) more")
    }

    @Test func `a system of no known family gets all names`() throws {
        let sentence = try missing("webrtcbin").sentence(nil)
        for name in ["gstreamer1.0-plugins-bad", "gstreamer1-plugins-bad-free", "gst-plugins-bad"] {
            #expect(sentence.contains(name))
        }
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

    @Test func `an element that can't be made is named with its package where it is known`() {
        #expect("\(MediaError.missingElement("webrtcbin"))".contains("“webrtcbin” is missing: install "))
        #expect("\(MediaError.missingElement("x"))" == "The GStreamer element “x” is missing: install its plugin.")
    }
}
