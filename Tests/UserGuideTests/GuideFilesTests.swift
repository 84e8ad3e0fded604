import Foundation
import TestSupport
import Testing

@testable import UserGuide

/// The chapters of `docs/guide`, in each language.
@Suite(.timeLimit(.minutes(1))) struct GuideFilesTests {
    /// The guide's folder in a language.
    enum Language: String, CaseIterable {
        case english = ""
        case german = "de"

        var folder: URL { Vectors.repository.appending(path: "docs/guide").appending(path: rawValue) }

        var files: [String] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }.sorted()
            }
        }

        func chapter(_ file: String) throws -> GuideChapter {
            try GuideChapter(parsing: String(contentsOf: folder.appending(path: file), encoding: .utf8))
        }
    }

    @Test(arguments: Language.allCases) func `each chapter is written as the guide is`(_ language: Language) throws {
        #expect(try language.files.count > 10)
        for file in try language.files {
            #expect(throws: Never.self, "\(file)") { try language.chapter(file) }
        }
    }

    @Test(arguments: Language.allCases) func `the index names each chapter once`(_ language: Language) throws {
        let index = try language.chapter("README.md")
        #expect(try index.targets.sorted() == language.files.filter { $0 != "README.md" })
    }

    @Test(arguments: Language.allCases) func `each link leads to a chapter`(_ language: Language) throws {
        let files = try language.files
        for file in files {
            for target in try language.chapter(file).targets { #expect(files.contains(target), "\(file): \(target)") }
        }
    }

    @Test(arguments: Language.allCases) func `each chapter has a picture, which exists`(_ language: Language) throws {
        for file in try language.files where file != "README.md" {
            let pictures = try language.chapter(file).pictures
            #expect(!pictures.isEmpty, "\(file)")
            for picture in pictures {
                let path = language.folder.appending(path: picture).path
                #expect(FileManager.default.fileExists(atPath: path), "\(file): \(picture)")
            }
        }
    }

    @Test func `the program holds each file of the guide`() throws {
        let list = try String(
            contentsOf: Vectors.repository.appending(path: "resources/parley.gresource.xml"), encoding: .utf8)
        for language in Language.allCases {
            let name = language == .english ? "guide/" : "guide/\(language.rawValue)/"
            for file in try language.files {
                #expect(list.contains("<file>\(name)\(file)</file>"))
                for picture in try language.chapter(file).pictures {
                    #expect(list.contains("<file>\(name)\(picture)</file>"))
                }
            }
        }
    }

    @Test func `each chapter has a German twin with the same parts`() throws {
        #expect(try Language.english.files == Language.german.files)
        for file in try Language.english.files {
            let (english, german) = (try Language.english.chapter(file), try Language.german.chapter(file))
            #expect(english.blocks.map(part) == german.blocks.map(part), "\(file)")
            #expect(english.pictures == german.pictures, "\(file)")
            #expect(english.targets.sorted() == german.targets.sorted(), "\(file)")
        }
    }

    @Test(arguments: Language.allCases) func `what is bold is a key, or stands in the windows`(
        _ language: Language
    ) throws {
        let seen = try Self.sentences(of: language)
        let key =
            #/
            ((Ctrl|Strg|Alt)\+)?((Shift|Umschalt)\+)?
            (F(1[0-2]|[1-9])|[0-9]|[A-Z]|[,+-]|\?|Backspace|Rücktaste|Return|Eingabetaste|Esc|Tab|Space|Leertaste)
            /#
        for file in try language.files {
            for words in try language.chapter(file).boldWords where words.wholeMatch(of: key) == nil {
                #expect(seen.contains(words), "\(file): \(words)")
            }
        }
    }

    /// What a part is: the same in each language.
    private func part(_ block: GuideChapter.Block) -> String {
        switch block {
        case .heading: "heading"
        case .paragraph: "paragraph"
        case .list(let items, let isNumbered): "list of \(items.count)\(isNumbered ? ", numbered" : "")"
        case .picture(let file, _): file
        }
    }

    /// What the windows say in a language, from the catalogue, without the marks of keys.
    private static func sentences(of language: Language) throws -> Set<String> {
        let sentences = try PortableCatalogue("de").sentences
        return Set(language == .english ? sentences.keys.map(plain) : sentences.values.map(plain))
    }

    private static func plain(_ sentence: String) -> String {
        sentence.replacing("_", with: "").replacing("\u{A0}", with: " ")
    }
}

extension GuideChapter {
    /// What is bold in it.
    fileprivate var boldWords: [String] {
        let texts = blocks.flatMap { block -> [GuideText] in
            switch block {
            case .heading(let text), .paragraph(let text): return [text]
            case .list(let items, _): return items
            case .picture: return []
            }
        }
        return texts.flatMap(\.spans).compactMap { if case .bold(let words) = $0 { words } else { nil } }
    }
}
