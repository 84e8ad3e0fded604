import MediaRules
import Testing

@testable import ParleyCLI

@Suite(.timeLimit(.minutes(5))) struct GroupWishTests {
    @Test(arguments: [
        ("invite Ben B.", GroupWish.invite("Ben B.")), ("share", .share(.of(nil, withSound: false))),
        ("share test", .share(.of(.test, withSound: false))), ("share test sound", .share(.of(.test, withSound: true))),
        ("share file:/tmp/a film.webm", .share(.of(.file("/tmp/a film.webm"), withSound: false))),
        ("unshare", .unshare),
        ("camera off", .camera(false)), ("hand up", .hand(true)), ("hangup", .hangUp),
    ])
    func `a line is a command`(_ line: String, _ wish: GroupWish) { #expect(GroupWish(line: line) == wish) }

    @Test(arguments: ["", "share it", "share file:", "share sound test", "unshare now", "invite", "hangup please"])
    func `what is no command is none`(_ line: String) { #expect(GroupWish(line: line) == nil) }
}
