import Media
import MediaRules
import Testing

@testable import ParleyCLI

@Suite(.timeLimit(.minutes(5))) struct CallCommandTests {
    @Test(arguments: [
        ("share", CallCommand.share(.of(nil, withSound: false))), ("share sound", .share(.of(nil, withSound: true))),
        ("share test", .share(.of(.test, withSound: false))),
        (" share  test sound", .share(.of(.test, withSound: true))),
        ("share motion", .share(.of(nil, withSound: false, .motion))),
        ("share test motion sound", .share(.of(.test, withSound: true, .motion))),
        ("share file:/tmp/a film.webm motion", .share(.of(.file("/tmp/a film.webm"), withSound: false, .motion))),
        ("share file:/tmp/a film.webm sound", .share(.of(.file("/tmp/a film.webm"), withSound: true))),
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

extension SharedScreen {
    static func of(_ source: ScreenSource?, withSound: Bool, _ content: ScreenContent = .text) -> SharedScreen {
        guard var screen = SharedScreen([]) else { preconditionFailure("no words mean what the desktop lets choose") }
        (screen.source, screen.withSound, screen.content) = (source, withSound, content)
        return screen
    }
}
