import Foundation

/// Translated sentences in the form that gettext reads (GNU gettext manual, "The Format of GNU MO Files").
struct Catalogue {
    private let sentences: [(original: String, translated: String)]

    init(_ sentences: [String: String]) {
        // The empty one is the header; originals are sorted.
        let header = ["": "Content-Type: text/plain; charset=UTF-8\n"]
        self.sentences = sentences.merging(header) { $1 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    var bytes: Data {
        let count = sentences.count
        let (originals, translations) = (28, 28 + 8 * count)
        var texts = Data()
        var tables: [UInt32] = []
        for text in sentences.map(\.original) + sentences.map(\.translated) {
            tables += [UInt32(text.utf8.count), UInt32(28 + 16 * count + texts.count)]
            texts += Data(text.utf8) + [0]
        }
        let head: [UInt32] = [0x9504_12DE, 0, UInt32(count), UInt32(originals), UInt32(translations), 0, 0]
        return (head + tables).reduce(into: Data()) { bytes, word in
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        } + texts
    }
}
