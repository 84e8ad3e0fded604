/// Why a chapter of the guide can't be read.
public struct GuideProblem: Error, Equatable {
    /// What is wrong there.
    public enum Reason: Error, Equatable {
        /// The chapter does not begin with its title.
        case noTitle
        /// There is a second title.
        case secondTitle
        /// A heading of the third level or deeper.
        case tooDeep
        case unclosedBold, unclosedCode, unclosedLink
        /// There is nothing where words or a target belong.
        case empty
        /// What only a fuller Markdown knows: emphasis by one star or underscore, tables, HTML, quotations, blocks of code.
        case unknownMark(Character)
        /// A picture among words.
        case pictureInText
        /// A list inside a list, or an item that is not indented as its list is.
        case nestedList
    }

    /// The line where it begins, counted from 1.
    public let line: Int
    public let reason: Reason
}
