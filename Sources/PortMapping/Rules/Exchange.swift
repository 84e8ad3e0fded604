import BaseKit

/// What is asked by datagrams.
enum Question: Equatable, Sendable {
    case pcpMap
    /// Whether the router still knows it.
    case pcpWatch
    case pcpRemove
    case natPMPAddress
    case natPMPMap(IPv4Address)
    case natPMPWatch
    case natPMPRemove

    /// How long to wait for the first answer.
    var firstWait: Duration {
        switch self {
        // RFC 6887 §8.1.1: IRT.
        case .pcpMap, .pcpWatch: .seconds(3)
        // RFC 6886 §3.1; and who leaves has no time.
        case .natPMPAddress, .natPMPMap, .natPMPWatch, .natPMPRemove, .pcpRemove: .milliseconds(250)
        }
    }

    /// How often it is asked before silence counts as the answer; nil for ever. `holds` is whether there is a mapping.
    func mostAttempts(holds: Bool) -> Int? {
        switch self {
        // RFC 6887 §8.1.1 knows no end. But where there is no such server, a person waits for what else can be tried.
        case .pcpMap: holds ? nil : 2
        case .pcpWatch: 2
        // RFC 6886 §3.1.
        case .natPMPAddress, .natPMPMap: 9
        case .natPMPWatch: 4
        case .pcpRemove, .natPMPRemove: 3
        }
    }

    var isRemoval: Bool { self == .pcpRemove || self == .natPMPRemove }
    var way: PortMappingWay {
        switch self {
        case .pcpMap, .pcpWatch, .pcpRemove: .pcp
        case .natPMPAddress, .natPMPMap, .natPMPWatch, .natPMPRemove: .natPMP
        }
    }
}

/// A question that waits for its answer.
struct Exchange: Equatable, Sendable {
    /// RFC 6887 §8.1.1: MRT.
    private static let longestWait = Duration.seconds(1_024)

    let question: Question
    let request: [UInt8]
    private(set) var attempts = 1
    private(set) var nextAttempt: Instant
    private var wait: Duration

    /// One that is asked now. `spread` is from -0.1 to 0.1.
    init(_ question: Question, _ request: [UInt8], at now: Instant, spread: Double) {
        (self.question, self.request) = (question, request)
        wait = Self.spread(question.firstWait, question.way, spread)
        nextAttempt = now + wait
    }

    /// Asked once more.
    mutating func repeated(at now: Instant, spread: Double) {
        attempts += 1
        wait = Self.spread(min(wait * 2, Self.longestWait), question.way, spread)
        nextAttempt = now + wait
    }

    /// RFC 6887 §8.1.1: RAND, so that not all ask at once. NAT-PMP has no such thing.
    private static func spread(_ wait: Duration, _ way: PortMappingWay, _ spread: Double) -> Duration {
        way == .pcp ? wait * (1 + spread) : wait
    }
}
