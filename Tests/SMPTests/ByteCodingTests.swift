import TestSupport
import Testing

@testable import SMP

@Suite("Basic encodings", .timeLimit(.minutes(5)))
struct ByteCodingTests {
    @Test func `each binary primitive is written and read as in the vectors`() throws {
        for vector in try Vectors.group("encoding_primitives").items where vector["encoding"].string == "binary" {
            let bytes = try vector.data("hex")
            var writer = ByteWriter()
            var reader = ByteReader(bytes)
            try check(vector, &writer, &reader)
            #expect(writer.written == bytes)
            try reader.finish()
        }
    }

    private func check(_ vector: VectorValue, _ writer: inout ByteWriter, _ reader: inout ByteReader) throws {
        let value = vector["value"]
        switch try vector.text("type") {
        case "Word16":
            writer.word16(UInt16(try vector.number("value")))
            #expect(try reader.word16() == UInt16(try vector.number("value")))
        case "Word32":
            writer.word32(UInt32(try vector.number("value")))
            #expect(try reader.word32() == UInt32(try vector.number("value")))
        case "Int64", "SystemTime seconds":
            writer.int64(Int64(try vector.number("value")))
            #expect(try reader.int64() == Int64(try vector.number("value")))
        case "Bool":
            writer.bool(try vector.flag("value"))
            #expect(try reader.bool() == (try vector.flag("value")))
        case "Char":
            writer.raw(try vector.text("value"))
            #expect([try reader.byte()] == Array(try vector.text("value").utf8))
        case "ByteString":
            try writer.bytes(vector.data("value"))
            #expect(try reader.bytes() == (try vector.data("value")))
        case "Large":
            try writer.large(vector.data("value"))
            #expect(try reader.large() == (try vector.data("value")))
        case "Tail":
            writer.raw(try vector.data("value"))
            #expect(reader.tail() == (try vector.data("value")))
        case "Maybe ByteString":
            try writer.maybe(value.bytes) { try $0.bytes($1) }
            #expect(try reader.maybe { try $0.bytes() } == value.bytes)
        case "NonEmpty ByteString", "list ByteString":
            let items = value.items.compactMap(\.bytes)
            try writer.list(items) { try $0.bytes($1) }
            #expect(try reader.list { try $0.bytes() } == items)
        case "(Word16, ByteString)":
            writer.word16(UInt16(try #require(value[0].integer)))
            try writer.bytes(try #require(value[1].bytes))
            #expect(try reader.word16() == UInt16(try #require(value[0].integer)))
            #expect(try reader.bytes() == value[1].bytes)
        case "VersionRange":
            let range = try #require(SMPVersionRange(min: value.versions[0], max: value.versions[1]))
            writer.versionRange(range)
            #expect(try reader.versionRange() == range)
        case let other: Issue.record("unknown type \(other)")
        }
    }

    @Test func `any sequence of values comes back`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let short = random.bytes(Int.random(in: 0...255, using: &random))
            let long = random.bytes(Int.random(in: 0...2_000, using: &random))
            let number = Int64.random(in: .min ... .max, using: &random)
            let optional = Bool.random(using: &random) ? short : nil
            let bytes = try ByteWriter.build { writer in
                try writer.bytes(short)
                try writer.large(long)
                writer.int64(number)
                try writer.maybe(optional) { try $0.bytes($1) }
            }
            var reader = ByteReader(bytes)
            #expect(try reader.bytes() == short)
            #expect(try reader.large() == long)
            #expect(try reader.int64() == number)
            #expect(try reader.maybe { try $0.bytes() } == optional)
            try reader.finish()
        }
    }

    @Test func `a value that ends too early is truncated, at whatever byte it ends`() throws {
        let bytes = try ByteWriter.build { writer in
            writer.word32(7)
            try writer.bytes([1, 2, 3])
            try writer.large([4, 5])
        }
        for count in bytes.indices {
            #expect(throws: SMPDecodingError.truncated) {
                var reader = ByteReader(bytes.prefix(count))
                _ = try reader.word32()
                _ = try reader.bytes()
                _ = try reader.large()
            }
        }
    }

    @Test func `wrong marks, empty lists where items must be, bad text and left-over bytes are refused`() throws {
        var reader = ByteReader([0x55])
        #expect(throws: SMPDecodingError.invalid("truth value")) { try reader.bool() }
        reader = ByteReader([0x55])
        #expect(throws: SMPDecodingError.invalid("optional value")) { try reader.maybe { try $0.byte() } }
        reader = ByteReader([0])
        #expect(throws: SMPDecodingError.invalid("empty list")) { try reader.nonempty { try $0.byte() } }
        reader = ByteReader([2, 0xC3, 0x28])
        #expect(throws: SMPDecodingError.invalid("text")) { try reader.text() }
        reader = ByteReader([0, 9, 0, 8])
        #expect(throws: SMPDecodingError.invalid("version range")) { try reader.versionRange() }
        #expect(throws: SMPDecodingError.trailingBytes) { try ByteReader.all(of: [1, 2]) { try $0.byte() } }
    }

    @Test func `what does not fit its length is not written`() {
        var writer = ByteWriter()
        #expect(throws: SMPEncodingError.tooLong) { try writer.bytes(counting(256)) }
        #expect(throws: SMPEncodingError.tooLong) { try writer.large(counting(65_536)) }
        #expect(throws: SMPEncodingError.tooLong) { try writer.list(counting(256)) { $0.byte($1) } }
        #expect(writer.written.isEmpty)
    }

    @Test func `ranges of versions meet in what both have`() throws {
        let ours = SMPVersionRange(9...17)
        #expect(ours == .supported)
        #expect(ours.intersection(SMPVersionRange(6...14)) == SMPVersionRange(9...14))
        #expect(ours.intersection(SMPVersionRange(17...20)) == SMPVersionRange(17...17))
        #expect(ours.intersection(SMPVersionRange(6...8)) == nil)
        #expect(SMPVersionRange(min: 9, max: 8) == nil)
        #expect(ours.contains(9) && ours.contains(17) && !ours.contains(18))
    }
}
