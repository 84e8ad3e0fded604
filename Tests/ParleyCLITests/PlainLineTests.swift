import Testing

@testable import ParleyCLI

@Suite(.timeLimit(.minutes(5))) struct PlainLineTests {
    @Test func `own words keep their line feeds, what is put in has none`() {
        let line: PlainLine = "Code:\n\("12345\n\u{1B}[31m")"
        #expect(line.text == "Code:\n12345 \u{FFFD}[31m")
        let foreign = "a\nb\u{202E}"
        #expect(PlainLine(foreign).text == "a b\u{FFFD}")
        #expect(PlainLine(lines: ["a", "b \(7)"]).text == "a\nb 7")
        let inner: PlainLine = "x\ny"
        let outer: PlainLine = "[\(inner)]"
        #expect(outer.text == "[x\ny]")
    }

    @Test func `news of the peer's devices are told once`() {
        var news = PeerNews()
        #expect(news.update(microphone: false, camera: false, contact: "Bob").isEmpty)
        let both = news.update(microphone: true, camera: true, contact: "Bob")
        #expect(both.map(\.name) == ["peerMicrophone", "peerCamera"])
        #expect(both.map(\.state) == ["on", "on"])
        #expect(news.update(microphone: true, camera: true, contact: "Bob").isEmpty)
        let off = news.update(microphone: true, camera: false, contact: "Bob")
        #expect(off == [PeerNews.Item(name: "peerCamera", state: "off", sentence: "Bob’s camera is off.")])
    }

    @Test func `a picture that is paused is told as that, and what becomes of it`() {
        var news = PeerNews()
        func states(_ camera: Bool, _ isPaused: Bool) -> [String] {
            news.update(microphone: false, camera: camera, isPicturePaused: isPaused, contact: "Bob").map(\.state)
        }
        #expect(states(true, false) == ["on"])
        #expect(states(false, true) == ["paused"])
        #expect(states(false, true) == [])
        #expect(states(false, false) == ["off"])
        #expect(states(false, true) == ["paused"])
        #expect(states(true, false) == ["on"])
    }
}
