/// How good a call is at the moment, and what most likely keeps it from being better.
public struct CallQuality: Sendable, Hashable {
    /// How good it is, in three steps.
    public enum Step: Int, Sendable, CaseIterable, Comparable {
        case good, fair, poor

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// What is to blame. Packets are mostly lost where they leave a home, so losses are put down to the sender's link.
    public enum Cause: Sendable, CaseIterable {
        /// What leaves here is lost.
        case ownLink
        /// What leaves there is lost.
        case peerLink
        /// Much is lost both ways.
        case bothLinks
        /// Packets need long.
        case longWay
        /// There is no room for our pictures, which are not sent.
        case noRoom
        /// There is room for small pictures only.
        case narrowLink
        /// Few pictures leave here, though there is room.
        case ownMachine
        /// Few pictures come, though none are lost.
        case peerMachine
        /// Encoding our pictures takes this machine so long that they are small.
        case slowMachine
        /// Nothing comes through: the way is being made anew.
        case noWay
    }

    /// What is known of a call.
    public struct Observation: Sendable, Equatable {
        public var link: MediaStatistics.Link
        /// Nil before the second look.
        public var rates: CallRates?
        /// Whether our camera is to be seen.
        public var sendsPicture: Bool
        /// Whether theirs is.
        public var receivesPicture: Bool
        /// Whether the way between the two is there.
        public var hasWay: Bool

        public init(
            _ link: MediaStatistics.Link, rates: CallRates?, sendsPicture: Bool, receivesPicture: Bool,
            hasWay: Bool = true
        ) {
            (self.link, self.rates) = (link, rates)
            (self.sendsPicture, self.receivesPicture, self.hasWay) = (sendsPicture, receivesPicture, hasWay)
        }
    }

    /// Parts of the packets from which on a call is fair and poor.
    static let losses = (fair: 0.02, poor: 0.08)
    /// Milliseconds there and back, likewise: people begin to talk over each other (ITU-T G.114 has 150 and 400 ms one way).
    static let roundTrips = (fair: 300, poor: 800)
    /// Bits a second with pictures, below which a call is fair and poor.
    static let rooms = (fair: 150_000, poor: 75_000)
    /// Pictures a second, likewise. Cameras in the dark give 7.
    static let pictureRates = (fair: 6.5, poor: 3.0)
    /// Pictures of fewer rows are seen to be small.
    static let smallRows = 360
    /// With this much room the network is not what keeps pictures back.
    static let ampleRoom = 300_000

    /// How good it is.
    public let step: Step
    /// What is to blame; nil for a good call.
    public let cause: Cause?

    /// Works it out; of several causes the worst counts, and of equally bad ones the network before the machines.
    public init(_ observation: Observation) {
        guard observation.hasWay else {
            (step, cause) = (.poor, .noWay)
            return
        }
        let link = observation.link
        let (own, peer) = (Self.step(loss: link.loss), Self.step(loss: link.lossHere))
        var findings: [(step: Step, cause: Cause)] = [
            (min(own, peer), .bothLinks), (own, .ownLink), (peer, .peerLink),
        ]
        if let roundTrip = link.roundTrip {
            let step: Step =
                roundTrip >= Self.roundTrips.poor ? .poor : roundTrip >= Self.roundTrips.fair ? .fair : .good
            findings.append((step, .longWay))
        }
        if observation.sendsPicture, link.isPaused { findings.append((.poor, .noRoom)) }
        if observation.sendsPicture, link.target > 0 {
            let step: Step = link.target < Self.rooms.poor ? .poor : link.target < Self.rooms.fair ? .fair : .good
            findings.append((step, .narrowLink))
        }
        if observation.sendsPicture, link.limit == .machine, let size = link.size,
            min(size.width, size.height) < Self.smallRows
        {
            findings.append((.fair, .slowMachine))
        }
        if let rates = observation.rates {
            if observation.sendsPicture, link.target >= Self.ampleRoom {
                findings.append((Self.step(pictures: rates.sentPictures), .ownMachine))
            }
            // A machine that does not decode in time is this one, whatever it is that leaves or comes.
            if observation.receivesPicture, link.decodeLoad > DecodeLoad.most {
                findings.append((max(Self.step(pictures: rates.receivedPictures), .fair), .ownMachine))
            }
            if observation.receivesPicture, peer == .good {
                findings.append((Self.step(pictures: rates.receivedPictures), .peerMachine))
            }
        }
        let worst = findings.map(\.step).max() ?? .good
        step = worst
        cause = worst == .good ? nil : findings.first { $0.step == worst }?.cause
    }

    private static func step(loss: Double) -> Step { loss >= losses.poor ? .poor : loss >= losses.fair ? .fair : .good }

    private static func step(pictures rate: Double) -> Step {
        rate < pictureRates.poor ? .poor : rate < pictureRates.fair ? .fair : .good
    }
}
