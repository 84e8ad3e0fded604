/// What one direction of a link does to packets.
package struct LinkCondition: Sendable, Equatable, Codable {
    /// Time on the way in milliseconds, beside the queue.
    package var delay: Double
    /// Half the width in milliseconds of what is added to or taken from the delay of each packet. Packets keep their order.
    package var jitter: Double
    /// The part of packets that is lost, 0 to 1.
    package var loss: Double
    /// How many packets in a row are lost on average; 1 when losses don't depend on one another.
    package var burst: Double
    /// What leaves the queue, in bits a second of whole IP packets; nil when nothing limits it.
    package var rate: Int?
    /// How long a packet may wait for those before it, in milliseconds. One that would wait longer is dropped.
    package var queue: Double

    /// A condition; without arguments a link that does nothing to packets.
    package init(
        delay: Double = 0, jitter: Double = 0, loss: Double = 0, burst: Double = 1, rate: Int? = nil,
        queue: Double = 300
    ) {
        self.delay = delay
        self.jitter = jitter
        self.loss = loss
        self.burst = burst
        self.rate = rate
        self.queue = queue
    }

    /// Reads the fields that are there; the others are as in a link that does nothing.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            delay: try fields.decodeIfPresent(Double.self, forKey: .delay) ?? 0,
            jitter: try fields.decodeIfPresent(Double.self, forKey: .jitter) ?? 0,
            loss: try fields.decodeIfPresent(Double.self, forKey: .loss) ?? 0,
            burst: try fields.decodeIfPresent(Double.self, forKey: .burst) ?? 1,
            rate: try fields.decodeIfPresent(Int.self, forKey: .rate),
            queue: try fields.decodeIfPresent(Double.self, forKey: .queue) ?? 300)
        guard isSound else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a link can't be like this"))
        }
    }

    /// Whether every figure is one that a link can have.
    var isSound: Bool {
        let minute = 0.0...60_000
        return minute.contains(delay) && minute.contains(jitter) && minute.contains(queue)
            && (0.0...1).contains(loss) && (1.0...10_000).contains(burst)
            && (rate.map { (1_000...10_000_000_000).contains($0) } ?? true)
    }
}
