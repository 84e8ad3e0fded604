import Media
import Testing

@testable import ParleyCLI

@Suite(.timeLimit(.minutes(5))) struct CallCommandTests {
    @Test(arguments: [
        ("share", CallCommand.share(nil, withSound: false)), ("share sound", .share(nil, withSound: true)),
        ("share test", .share(.test, withSound: false)), (" share  test sound", .share(.test, withSound: true)),
        ("share file:/tmp/a film.webm sound", .share(.file("/tmp/a film.webm"), withSound: true)),
        ("unshare", .unshare), ("camera on", .camera(true)), ("camera off", .camera(false)),
        ("microphone off", .microphone(false)), ("hangup", .hangUp), ("flip", .flip),
        ("camera Red Camera", .use(.camera, "Red Camera")), ("microphone default", .use(.microphone, nil)),
        ("hold", .hold), ("resume", .resume(nil)), ("resume Bob B.", .resume("Bob B.")), ("tones 12#", .tones("12#")),
        ("tones 1 2", .tones("12")),
        ("speaker desk-speaker", .use(.speaker, "desk-speaker")), ("speaker on", .use(.speaker, "on")),
    ])
    func `a line is a command`(_ line: String, _ command: CallCommand) {
        #expect(CallCommand(line: line) == command)
    }

    @Test(arguments: [
        "", "shar", "share it", "share file:", "camera", "speaker", "flip it", "unshare now", "hangup please",
        "tones", "hold on",
    ])
    func `what is no command is none`(_ line: String) {
        #expect(CallCommand(line: line) == nil)
    }

    @Test func `news of screens are told once`() {
        var news = ScreenNews()
        #expect(news.update(peer: false, own: .off, contact: "Bob").isEmpty)
        let both = news.update(peer: true, own: .starting, contact: "Bob")
        #expect(both.map(\.name) == ["peerScreen", "screen"])
        #expect(both.map(\.state) == ["on", "starting"])
        #expect(both[0].sentence == "Bob shares their screen.")
        #expect(news.update(peer: true, own: .on(withSound: true), contact: "Bob").map(\.state) == ["onWithSound"])
        let over = news.update(peer: false, own: .off, contact: "Bob")
        #expect(over.map(\.sentence) == ["Bob stopped sharing their screen.", "Your screen is not shared."])
    }
}
