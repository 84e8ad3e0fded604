import Foundation

/// What happens to a link over time.
package struct NetworkPlan: Sendable, Equatable, Codable {
    /// From a moment on, how the link is.
    package struct Phase: Sendable, Equatable, Codable {
        /// When it begins, in seconds from the start.
        package var from: Double
        /// From the first side to the second.
        package var forward: LinkCondition
        /// From the second side to the first.
        package var backward: LinkCondition

        /// A phase.
        package init(from: Double, forward: LinkCondition, backward: LinkCondition) {
            self.from = from
            self.forward = forward
            self.backward = backward
        }

        /// Reads a phase; `both` stands for two equal directions.
        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            let both = try decoder.container(keyedBy: BothKey.self).decodeIfPresent(LinkCondition.self, forKey: .both)
            from = try fields.decodeIfPresent(Double.self, forKey: .from) ?? 0
            forward = try both ?? fields.decode(LinkCondition.self, forKey: .forward)
            backward = try both ?? fields.decode(LinkCondition.self, forKey: .backward)
        }

        private enum BothKey: String, CodingKey { case both }
    }

    /// One sentence.
    package var about: String
    /// What every random choice follows from.
    package var seed: UInt64
    /// How long it goes, in seconds.
    package var duration: Double
    /// In the order of time; the first from 0 s.
    package var phases: [Phase]
    /// When the first side's ports get other numbers outside (``NetworkEmulator/rebind()``), in seconds, in the order of time.
    var rebindings: [Double]
    /// Whether both sides share a screen, with sound.
    package var hasScreens: Bool
    /// Whether the call is one of voices, without pictures.
    package var isSoundAlone = false
    /// How many calls there are, beside one another.
    package var calls = 1
    /// Whether a TCP connection each way carries as much as it can beside them.
    package var hasStream = false

    private enum CodingKeys: String, CodingKey {
        case about, seed, duration, phases, calls
        case hasStream = "tcp"
        case rebindings = "rebind"
        case hasScreens = "screen"
        case isSoundAlone = "sound"
    }

    /// A plan.
    package init(
        about: String, seed: UInt64, duration: Double, phases: [Phase], rebindings: [Double] = [],
        hasScreens: Bool = false
    ) {
        self.about = about
        self.seed = seed
        self.duration = duration
        self.phases = phases
        self.rebindings = rebindings
        self.hasScreens = hasScreens
    }

    /// Reads a plan's fields; without `rebind`, `screen`, `sound`, `calls` and `tcp` there is one call and nothing else.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            about: try fields.decode(String.self, forKey: .about), seed: try fields.decode(UInt64.self, forKey: .seed),
            duration: try fields.decode(Double.self, forKey: .duration),
            phases: try fields.decode([Phase].self, forKey: .phases),
            rebindings: try fields.decodeIfPresent([Double].self, forKey: .rebindings) ?? [],
            hasScreens: try fields.decodeIfPresent(Bool.self, forKey: .hasScreens) ?? false)
        isSoundAlone = try fields.decodeIfPresent(Bool.self, forKey: .isSoundAlone) ?? false
        calls = min(max(try fields.decodeIfPresent(Int.self, forKey: .calls) ?? 1, 1), 8)
        hasStream = try fields.decodeIfPresent(Bool.self, forKey: .hasStream) ?? false
    }

    /// Reads a plan.
    /// - Throws: `NetworkEmulationError.plan` when it is no plan.
    package init(json: Data) throws {
        do {
            self = try JSONDecoder().decode(Self.self, from: json)
        } catch {
            throw NetworkEmulationError.plan("it is no plan: \(error)")
        }
        let moments = phases.map(\.from)
        guard moments.first == 0, zip(moments, moments.dropFirst()).allSatisfy({ $0 < $1 }),
            zip(rebindings, rebindings.dropFirst()).allSatisfy({ $0 < $1 }), (1...86_400).contains(duration)
        else {
            throw NetworkEmulationError.plan("its phases are not in the order of time, or its duration is not possible")
        }
    }

    /// The phase at a moment, in seconds from the start.
    package func phase(at moment: Double) -> Phase? { phases.last { $0.from <= moment } }
}

/// Why a network can't be emulated, in one sentence.
package enum NetworkEmulationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Network namespaces and TUN devices are root's.
    case notPermitted
    /// A plan is not usable.
    case plan(String)
    /// A command of iproute2 failed.
    case command(String, output: String)
    /// A TUN device could not be made.
    case device(String)

    package var description: String {
        switch self {
        case .notPermitted: "Emulating a network needs root: run it with sudo."
        case .plan(let reason): "The network plan can't be used: \(reason)."
        case .command(let command, let output): "“\(command)” failed: \(output)"
        case .device(let reason): "A TUN device can't be made: \(reason)."
        }
    }
}
