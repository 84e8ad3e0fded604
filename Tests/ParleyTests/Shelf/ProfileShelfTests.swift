import TestSupport
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct ProfileShelfTests {
    private var shelf = ProfileShelf()

    /// Makes a profile and begins it.
    private mutating func begin(_ name: String = "") throws -> Int {
        _ = try shelf.make()
        let id = shelf.shown
        _ = shelf.begun(id)
        _ = shelf.named(id, name)
        return id
    }

    @Test func `a person begins with one profile, which is opened and shown, and nothing is to be remembered`() {
        #expect(shelf.start() == [.open(1), .show(1)])
        #expect(shelf.isPlain)
    }

    @Test mutating func `a new profile is shown as a draft and remembered once it is begun`() throws {
        #expect(try shelf.make() == [.open(2), .show(2)])
        #expect(shelf[2]?.standing == .draft && ProfileShelf(decoding: shelf.encoded())?[2] == nil)
        #expect(shelf.begun(2) == [.keep])
        #expect(ProfileShelf(decoding: shelf.encoded()) == shelf)
    }

    @Test mutating func `a draft that the person turns away from is forgotten`() throws {
        _ = try shelf.make()
        #expect(try shelf.show(1) == [.show(1), .close(2), .keep])
        #expect(shelf.isPlain)
    }

    @Test mutating func `whoever wants a new profile while there is a draft gets that one`() throws {
        _ = try shelf.make()
        #expect(try shelf.make() == [])
        #expect(shelf.items.count == 2)
    }

    @Test mutating func `a new profile takes no folder in which something lies`() throws {
        #expect(try shelf.make(besides: [2, 3]) == [.open(4), .show(4)])
    }

    @Test mutating func `turning to another profile leaves the former one open`() throws {
        let work = try begin()
        #expect(try shelf.show(1) == [.show(1), .keep])
        #expect(shelf.open == [1, work])
        #expect(try shelf.show(1) == [])
    }

    @Test mutating func `a closed profile stays known, and is opened when it is to be shown`() throws {
        let work = try begin()
        #expect(try shelf.close(work) == [.show(1), .close(work), .keep])
        #expect(shelf[work]?.standing == .closed && shelf.start() == [.open(1), .show(1)])
        #expect(try shelf.show(work) == [.open(work), .show(work), .keep])
    }

    @Test mutating func `the last open profile can't be closed, and the only one not removed`() throws {
        #expect(throws: ShelfFault.last) { try shelf.close(1) }
        #expect(throws: ShelfFault.last) { try shelf.remove(1) }
        #expect(shelf == ProfileShelf())
    }

    @Test mutating func `a profile that is removed is marked, closed, wiped and then forgotten`() throws {
        let work = try begin()
        #expect(try shelf.remove(work) == [.keep, .show(1), .close(work), .wipe(work)])
        #expect(shelf[work]?.standing == .leaving)
        #expect(shelf.wiped(work) == [.keep])
        #expect(shelf.isPlain)
    }

    @Test mutating func `a removal that a crash has cut off goes on at the next start`() throws {
        let work = try begin()
        _ = try shelf.remove(work)
        let later = try #require(ProfileShelf(decoding: shelf.encoded()))
        #expect(later.start() == [.open(1), .show(1), .wipe(work)])
    }

    @Test mutating func `when the only open profile is removed, a closed one is opened in its place`() throws {
        let work = try begin()
        _ = try shelf.close(1)
        #expect(try shelf.remove(work) == [.keep, .open(1), .show(1), .close(work), .wipe(work)])
    }

    @Test mutating func `when the only open profile is removed beside a draft, a closed one is opened as well`() throws
    {
        let work = try begin()
        _ = try shelf.close(1)
        _ = try shelf.make()
        #expect(try shelf.remove(work) == [.keep, .open(1), .close(work), .wipe(work)])
    }

    @Test mutating func `a profile that is being removed is neither shown nor removed again`() throws {
        let work = try begin()
        _ = try shelf.remove(work)
        #expect(throws: ShelfFault.unknown) { try shelf.show(work) }
        #expect(throws: ShelfFault.unknown) { try shelf.remove(work) }
    }

    @Test mutating func `there are so many profiles and no more`() throws {
        for _ in 1..<ProfileShelf.mostProfiles { _ = try begin() }
        #expect(throws: ShelfFault.tooMany) { try shelf.make() }
    }

    @Test mutating func `a name is remembered once, without what is no part of a name`() throws {
        #expect(shelf.named(1, "  Ada\u{202E} ") == [.keep])
        #expect(shelf[1]?.name == "Ada")
        #expect(shelf.named(1, "Ada") == [])
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"version":1,"shown":1,"profiles":[]}"#,
        #"{"version":2,"shown":1,"profiles":[{"number":1,"name":"","standing":"open"}]}"#,
        #"{"version":1,"shown":1,"profiles":[{"number":0,"name":"","standing":"open"}]}"#,
        #"{"version":1,"shown":1,"profiles":[{"number":-1,"name":"","standing":"open"}]}"#,
        #"{"version":1,"shown":1,"profiles":[{"number":10000,"name":"","standing":"open"}]}"#,
        #"{"version":1,"shown":1,"profiles":[{"number":"../x","name":"","standing":"open"}]}"#,
        #"{"version":1,"shown":1,"profiles":[{"number":1,"name":"","standing":"draft"}]}"#,
        #"{"version":1,"shown":1,"profiles":[{"number":1,"name":"","standing":"gone"}]}"#,
        #"{"version":1,"shown":1,"profiles":[{"number":1,"name":"","standing":"leaving"}]}"#,
        #"{"version":1,"shown":2,"profiles":[{"number":2,"name":"","standing":"open"},{"number":2,"name":"","standing":"open"}]}"#,
    ])
    func `what makes no sense is no list of profiles`(text: String) {
        #expect(ProfileShelf(decoding: [UInt8](text.utf8)) == nil)
    }

    @Test func `a list longer than is looked at is none`() {
        var text = ProfileShelf().encoded()
        text += [UInt8](repeating: 0x20, count: ProfileShelf.mostBytes)
        #expect(ProfileShelf(decoding: text) == nil)
    }

    @Test func `a list whose shown profile is closed shows one that is open`() throws {
        let text =
            #"{"version":1,"shown":1,"profiles":[{"number":1,"name":"","standing":"closed"},{"number":3,"name":"B","standing":"open"}]}"#
        #expect(try #require(ProfileShelf(decoding: [UInt8](text.utf8))).shown == 3)
    }

    @Test func `a list in which all are closed shows the first`() throws {
        let text = #"{"version":1,"shown":7,"profiles":[{"number":4,"name":"","standing":"closed"}]}"#
        let shelf = try #require(ProfileShelf(decoding: [UInt8](text.utf8)))
        #expect(shelf.start() == [.open(4), .show(4)] && shelf.open == [4])
    }

    @Test(arguments: 0..<60)
    func `whatever is done, one profile is shown and open, and what is kept is what there is`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var shelf = ProfileShelf()
        var opened: Set<Int> = []
        func follow(_ effects: [ProfileShelf.Effect]) {
            for effect in effects {
                switch effect {
                case .open(let id): #expect(opened.insert(id).inserted, "opened twice")
                case .close(let id): #expect(opened.remove(id) != nil, "closed and not open")
                case .show(let id): #expect(opened.contains(id), "shown and not open")
                case .wipe(let id): #expect(shelf[id]?.standing == .leaving)
                case .keep: break
                }
            }
        }
        follow(shelf.start())
        for _ in 0..<80 {
            let id = Int.random(in: 0...ProfileShelf.mostProfiles + 2, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: follow((try? shelf.make()) ?? [])
            case 1: follow(shelf.begun(id))
            case 2, 3: follow((try? shelf.show(id)) ?? [])
            case 4: follow((try? shelf.close(id)) ?? [])
            case 5: follow((try? shelf.remove(id)) ?? [])
            default: follow(shelf.wiped(id))
            }
            #expect(opened == Set(shelf.open) && opened.contains(shelf.shown))
            #expect(shelf.items.contains { $0.standing == .open })
            let kept = try #require(ProfileShelf(decoding: shelf.encoded()))
            #expect(kept.items == shelf.items.filter { $0.standing != .draft })
            #expect(shelf[shelf.shown]?.standing == .draft || kept.shown == shelf.shown)
        }
    }

    @Test(arguments: 0..<40)
    func `a damaged list is none, or one that can be used`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var shelf = ProfileShelf()
        for _ in 0..<3 {
            _ = try shelf.make()
            _ = shelf.begun(shelf.shown)
        }
        let sound = shelf.encoded()
        for _ in 0..<200 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            guard let known = ProfileShelf(decoding: bytes) else { continue }
            #expect(known[known.shown]?.standing == .open)
            #expect(known.items.allSatisfy { (1...ProfileShelf.highestNumber).contains($0.id) })
        }
    }
}
