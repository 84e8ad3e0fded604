import Signaling
import TestSupport
import Testing

@Suite("JSON values", .timeLimit(.minutes(5)))
struct JSONValueTests {
    func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    @Test(arguments: [
        "null", "true", "false", "0", "-0", "12.50e+3", #""""#, #""a\"\\\b\f\n\r\t\u0001é😀/""#, "[]", "{}",
        #"[1,[2,{"a":null}],"x"]"#, #"{"b":1,"a":{"c":[true,false]}}"#,
    ])
    func `a document is written as it was read, without spaces`(text: String) throws {
        #expect(try parse(text).text == text)
    }

    @Test func `spaces around values are skipped`() throws {
        #expect(try parse(" \t\r\n{ \"a\" : [ 1 , 2 ] } ").text == #"{"a":[1,2]}"#)
    }

    @Test func `escapes are understood, also of characters beyond 16 bits`() throws {
        #expect(try parse(#""\u0041\/\u00e9\uD83D\uDE00""#).string == "A/é😀")
    }

    @Test(arguments: [
        "", " ", "nul", "truth", "[", "[1", "[1,", "[1,]", "[,1]", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
        #"{a:1}"#, #"{1:1}"#, "01", "-", "1.", ".5", "1e", "1e+", "+1", "--1", "NaN", "Infinity", "0x10", #"""#,
        #""\x""#, #""\u12""#, #""\u12G4""#, #""\uD800""#, #""\uD800\u0041""#, #""\uDC00""#, "\"\n\"", "1 2",
        "{}{}", "[]]", "'a'", "\u{FEFF}1",
    ])
    func `text that is no JSON is an error`(text: String) {
        #expect(throws: JSONError.self) { try parse(text) }
    }

    @Test func `bytes that are no UTF-8 are an error`() {
        for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80]] {
            #expect(throws: JSONError.invalidString(offset: 0)) {
                try JSONValue(parsing: [0x22] + bytes + [0x22])
            }
        }
    }

    @Test func `values are nested at most 64 deep`() throws {
        let brackets = { (count: Int) in
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        #expect(try parse(brackets(64)).text == brackets(64))
        #expect(throws: JSONError.tooDeep) { try parse(brackets(65)) }
        #expect(throws: JSONError.tooDeep) { try parse(String(repeating: "[", count: 60_000)) }
        #expect(throws: JSONError.tooDeep) { try parse(String(repeating: #"{"a":"#, count: 10_000)) }
    }

    @Test func `a number becomes an integer only if it is one and fits`() throws {
        #expect(try parse("42").integer == 42)
        #expect(try parse("-7").integer == -7)
        #expect(try parse("4.2e1").integer == 42)
        for text in ["1.5", "1e999999", "-1e400", "9223372036854775808", String(repeating: "9", count: 50_000)] {
            #expect(try parse(text).integer == nil)
            #expect(try parse(text).text == text)
        }
    }

    @Test func `the last of two equal names counts`() throws {
        #expect(try parse(#"{"a":1,"a":2}"#).object?["a"]?.integer == 2)
    }

    @Test func `10,000 random mutations of a message parse or are an error`() {
        var generator = SeededGenerator(seed: 8)
        let original = Array(
            #"{"v":"1-9","event":"x.call.end","params":{"callId":"AAAA","n":[1,2.5e3,"\u0041"]}}"#.utf8)
        var errors = 0
        for _ in 0..<10_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = Bool.random(using: &generator) ? .random(in: 0...255, using: &generator) : bytes[0]
            }
            do throws(JSONError) {
                let value = try JSONValue(parsing: bytes)
                #expect(try JSONValue(parsing: value.encoded) == value)
            } catch {
                errors += 1
            }
        }
        #expect(errors > 0)
    }
}
