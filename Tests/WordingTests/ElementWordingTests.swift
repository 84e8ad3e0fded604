import MediaRules
import Testing

@testable import Wording

@Suite(.timeLimit(.minutes(5))) struct ElementWordingTests {
    private func missing(_ names: String...) throws -> MissingElements {
        try #require(MissingElements(NeededElement.all.filter { names.contains($0.name) }))
    }

    @Test func `one element is named with its package`() throws {
        let sentence = try missing("webrtcbin").sentence(for: .debian)
        #expect(
            sentence
                == "Calls are not possible: GStreamer’s “webrtcbin” is missing; install gstreamer1.0-plugins-bad.")
        #expect(try missing("nicesrc").sentence(for: .fedora).hasSuffix("install libnice-gstreamer1."))
        #expect(try missing("nicesrc").sentence(for: .arch).hasSuffix("install libnice."))
    }

    @Test func `several are one sentence, with each package once`() throws {
        let two = try missing("webrtcbin", "dtlsdec", "nicesrc")
        let sentence = two.sentence(for: .debian)
        #expect(sentence.contains("“dtlsdec”, “webrtcbin” and “nicesrc” are missing"))
        #expect(sentence.hasSuffix("install gstreamer1.0-plugins-bad and gstreamer1.0-nice."))
    }

    @Test func `many are counted`() throws {
        let all = try #require(MissingElements(NeededElement.all.filter { $0.use == .call }))
        #expect(all.names == "“capsfilter”, “clocksync”, “fakesink” and \(all.elements.count - 3) more")
    }

    @Test func `a system of no known family gets all names`() throws {
        let sentence = try missing("webrtcbin").sentence(for: nil)
        for name in ["gstreamer1.0-plugins-bad", "gstreamer1-plugins-bad-free", "gst-plugins-bad"] {
            #expect(sentence.contains(name))
        }
    }

    @Test func `an element that can't be made is named with its package where it is known`() {
        #expect(MediaError.missingElement("webrtcbin").sentence.contains("“webrtcbin” is missing: install "))
        #expect(MediaError.missingElement("x").sentence == "The GStreamer element “x” is missing: install its plugin.")
    }
}
