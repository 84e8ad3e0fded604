import Signaling
import TestSupport
import Testing

@testable import Calling

/// How calls are written down.
@Suite(.timeLimit(.minutes(5))) struct CallRecordTests {
    @Test(arguments: 0..<200) func `a record comes back as it was`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let record = CallRecord.random(&generator)
        #expect(try CallRecord(decoding: record.encoded()) == record)
        let key = CallRecordKey(record)
        #expect(try CallRecordKey(decoding: key.encoded()) == key)
    }

    @Test(arguments: 0..<200) func `any bytes are a record or a typed error`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var bytes = CallRecord.random(&generator).encoded()
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            case 1: bytes = Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &generator)))
            default: bytes += generator.bytes(Int.random(in: 0...9, using: &generator))
            }
            guard let record = try? CallRecord(decoding: bytes) else { continue }
            #expect((try? CallRecord(decoding: record.encoded())) == record)
        }
        let noise = generator.bytes(Int.random(in: 0...60, using: &generator))
        _ = try? CallRecord(decoding: noise)
        _ = try? CallRecordKey(decoding: noise)
        _ = try? CallRecordKey(decoding: [1] + noise)
    }

    @Test func `every cut is refused`() {
        let bytes = CallRecordKey(.sample()).encoded()
        for count in 0..<17 {
            #expect(throws: CallRecordError.truncated) { try CallRecordKey(decoding: Array(bytes.prefix(count))) }
        }
        #expect(throws: CallRecordError.truncated) { try CallRecord(decoding: []) }
        let record = CallRecord.sample().encoded()
        #expect(throws: CallRecordError.truncated) { try CallRecord(decoding: Array(record.dropLast())) }
    }

    @Test func `another version is named`() {
        #expect(throws: CallRecordError.newerVersion(2)) { try CallRecord(decoding: [2]) }
        #expect(throws: CallRecordError.newerVersion(9)) { try CallRecordKey(decoding: [9]) }
    }

    @Test func `what is missing or invalid is named`() {
        #expect(throws: CallRecordError.missing(1)) { try CallRecord(decoding: [1]) }
        let result = CallRecord.sample().encoded() + [10, 0, 1, 200]
        #expect(throws: CallRecordError.invalid(10)) { try CallRecord(decoding: result) }
        let start = CallRecord.sample().encoded() + [6, 0, 1, 200]
        #expect(throws: CallRecordError.invalid(6)) { try CallRecord(decoding: start) }
    }

    @Test func `parts of a newer Parley are passed over`() throws {
        let record = CallRecord.sample()
        #expect(try CallRecord(decoding: record.encoded() + [200, 0, 2, 7, 7]) == record)
    }

    @Test func `a reason that is not known here is none`() throws {
        var record = CallRecord.sample()
        record.reason = .hungUp
        let bytes = record.encoded() + [11, 0, 1, UInt8(ascii: "x")]
        #expect(try CallRecord(decoding: bytes).reason == nil)
    }

    @Test func `a call of several that was kept with names alone opens, with nobody to call again`() throws {
        let names = Array("Ben\nCleo".utf8)
        let record = try CallRecord(decoding: CallRecord.sample().encoded() + [18, 0, UInt8(names.count)] + names)
        #expect(record.members == [.of("Ben"), .of("Cleo")] && record.groupReason == nil)
        #expect(record.contacts == [record.contact])
    }

    @Test func `who was no contact stands between those who were`() throws {
        var record = CallRecord.sample("ann", name: "Ann, Zed, Bo")
        record.members = [.of("Ann", "ann"), .of("Zed"), .of("Bo", "bo")]
        record.groupReason = .removed
        #expect(try CallRecord(decoding: record.encoded()) == record)
        #expect(try CallRecordKey(decoding: CallRecordKey(record).encoded()).contacts.map(\.rawValue) == ["ann", "bo"])
        for count in 0..<CallRecordKey(record).encoded().count - 12 {
            let cut = Array(CallRecordKey(record).encoded().prefix(count))
            #expect(throws: CallRecordError.truncated) { try CallRecordKey(decoding: cut) }
        }
    }

    @Test func `the key of a call of two is the same as ever`() throws {
        let key = CallRecordKey(.sample("ann", name: "Ann", at: 7))
        let bytes: [UInt8] = [1, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 3] + Array("annAnn".utf8)
        #expect(key.encoded() == bytes)
        #expect(try CallRecordKey(decoding: bytes) == key)
    }

    @Test func `a name that is too long is cut between characters`() throws {
        var record = CallRecord.sample()
        record.name = String(repeating: "ë", count: 5_000)
        #expect(try CallRecord(decoding: record.encoded()).name == String(repeating: "ë", count: 2_048))
        #expect(try CallRecordKey(decoding: CallRecordKey(record).encoded()).name == String(repeating: "ë", count: 512))
    }
}
