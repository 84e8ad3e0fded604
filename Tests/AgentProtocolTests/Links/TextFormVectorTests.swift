import Cryptography
import TestSupport
import Testing

@testable import AgentProtocol

/// The text forms that links are made of.
@Suite(.timeLimit(.minutes(5))) struct TextFormVectorTests {
    private func vectors(_ type: String) throws -> [VectorValue] {
        let found = try Vectors.group("encoding_primitives").items.filter {
            $0["encoding"].string == "string" && $0["type"].string == type
        }
        #expect(!found.isEmpty)
        return found
    }

    @Test func `a version range is written and read as in the vectors`() throws {
        for vector in try vectors("VersionRange") {
            let text = try #require(vector["text"].string)
            let range = VersionRange(
                minimum: UInt16(try #require(vector["value"][0].integer)),
                maximum: UInt16(try #require(vector["value"][1].integer)))
            #expect(range.text == text)
            #expect(try VersionRange(parsing: text) == range)
        }
    }

    @Test func `bytes are written and read as in the vectors, with and without their padding`() throws {
        for vector in try vectors("ByteString") {
            let text = try #require(vector["text"].string)
            let bytes = try #require(vector["value"].bytes)
            #expect(Base64URL.encode(bytes) == text)
            #expect(try Base64URL.decode(text) == bytes)
            #expect(try Base64URL.decode(text.filter { $0 != "=" }) == bytes)
        }
    }

    @Test func `numbers and times are written and read as in the vectors`() throws {
        for vector in try vectors("Int64") + vectors("SystemTime seconds") {
            let text = try #require(vector["text"].string)
            let number = try #require(vector["value"].integer)
            #expect(Int64(text) == Int64(number))
            #expect("\(Int64(number))" == text)
        }
    }

    @Test func `no kind of text form is left out`() throws {
        let kinds = try Vectors.group("encoding_primitives").items
            .filter { $0["encoding"].string == "string" }.compactMap { $0["type"].string }
        #expect(Set(kinds) == ["VersionRange", "ByteString", "Int64", "SystemTime seconds"])
    }

    @Test(arguments: ["", "-", "1-", "-1", "1-2-3", "2-1", "+1", "65536", "1 ", "¹", "٣"])
    func `a text that is no version range is refused`(text: String) {
        #expect(throws: AgentDecodingError.malformed) { try VersionRange(parsing: text) }
    }
}
