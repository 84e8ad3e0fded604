import Cryptography
import Signaling
import TestSupport

@testable import Calling

/// Two persons who call each other: what each side is, what is on its way between them, and what may happen next. A value, so that
/// every order can be tried.
struct CrossingWorld {
    /// When a program tells that it has an invitation.
    enum Receipts: String, CaseIterable {
        /// At once, before it sends anything else.
        case prompt
        /// Whenever it comes to it.
        case late
        case never
    }

    enum Side {
        case parley(CallSwitchboard)
        case other(OtherProgram)
    }

    enum Parcel: Equatable {
        case message(CallMessage)
        case receipt(CallID)
    }

    /// Something that may happen next.
    enum Step {
        /// A person dials.
        case dial(Int)
        /// What the program wanted to send is handed over.
        case handOver(Int)
        /// A receipt that was put off is handed over.
        case confirm(Int)
        /// What a side has sent arrives.
        case deliver(Int)
        /// Media reports.
        case media(Int)
        /// A person takes the call that rings.
        case accept(Int)
        /// A person ends what there is.
        case hangUp(Int)
    }

    var sides: [Side]
    let ids: [CallID]
    let receipts: Receipts
    /// Who still dials, and who still may hang up.
    var dials: Set<Int> = [0, 1]
    var hangUps: Set<Int>
    private var outboxes: [[CallMessage]] = [[], []]
    private var putOff: [[CallID]] = [[], []]
    private var wires: [[Parcel]] = [[], []]
    private var reports: [[(CallID, MediaInput)]] = [[], []]

    init(_ second: Side, ids: [CallID], receipts: Receipts, hangUps: Set<Int> = []) {
        sides = [.parley(CallSwitchboard()), second]
        self.ids = ids
        self.receipts = receipts
        self.hangUps = hangUps
    }

    static let contacts = [Samples.ada, Samples.bo]
    static let keys = [Samples.callerKeys, Samples.calleeKeys]
    private static let sdp = "v=0\r\ns=-\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n"

    // MARK: What may happen

    var steps: [Step] {
        (0...1).flatMap { side -> [Step] in
            var steps: [Step] = []
            if dials.contains(side) { steps.append(.dial(side)) }
            if !outboxes[side].isEmpty { steps.append(.handOver(side)) }
            if !putOff[side].isEmpty { steps.append(.confirm(side)) }
            if !wires[side].isEmpty { steps.append(.deliver(side)) }
            if !reports[side].isEmpty { steps.append(.media(side)) }
            if rings(side) { steps.append(.accept(side)) }
            if hangUps.contains(side), call(side) != nil { steps.append(.hangUp(side)) }
            return steps
        }
    }

    mutating func happen(_ step: Step) {
        switch step {
        case .dial(let side): dial(side)
        case .handOver(let side): wires[side].append(.message(outboxes[side].removeFirst()))
        case .confirm(let side): wires[side].append(.receipt(putOff[side].removeFirst()))
        case .deliver(let side): deliver(wires[side].removeFirst(), to: 1 - side)
        case .media(let side):
            let (call, input) = reports[side].removeFirst()
            self.input(.media(input), call, side)
        case .accept(let side): accept(side)
        case .hangUp(let side): hangUp(side)
        }
    }

    private mutating func dial(_ side: Int) {
        dials.remove(side)
        switch sides[side] {
        case .parley(var board):
            let actions = try? board.dial(
                Self.contacts[1 - side], media: .video, callID: ids[side], keys: Self.keys[side], at: at(0),
                wallClock: 0)
            sides[side] = .parley(board)
            act(actions ?? [], side)
        case .other(var program):
            let sent = program.dial(ids[side], keys: Self.keys[side])
            sides[side] = .other(program)
            outboxes[side] += sent
        }
    }

    private mutating func accept(_ side: Int) {
        switch sides[side] {
        case .parley(let board):
            for call in board.calls.values where call.stage == .ringingWithoutConsent {
                input(.person(.accept(.video, keys: Self.keys[side], clearMedia: false)), call.callID, side)
            }
        case .other(var program):
            let sent = program.accept(keys: Self.keys[side])
            sides[side] = .other(program)
            outboxes[side] += sent
        }
    }

    private mutating func hangUp(_ side: Int) {
        hangUps.remove(side)
        switch sides[side] {
        case .parley(let board): for call in board.calls.keys { input(.person(.hangUp), call, side) }
        case .other(var program):
            let sent = program.hangUp()
            sides[side] = .other(program)
            outboxes[side] += sent
        }
    }

    private mutating func deliver(_ parcel: Parcel, to side: Int) {
        if case .message(.invitation(let id, _)) = parcel { confirm(id, from: side) }
        switch (sides[side], parcel) {
        case (.parley(var board), .message(let message)):
            let actions = board.receive(message, from: Self.contacts[1 - side], sentAt: 0, at: at(0), wallClock: 0)
            sides[side] = .parley(board)
            act(actions, side)
        case (.parley(let board), .receipt(let id)):
            if board.calls[id] != nil { input(.relay(.invitationDelivered), id, side) }
        case (.other(var program), .message(let message)):
            let sent = program.receive(message)
            sides[side] = .other(program)
            outboxes[side] += sent
        case (.other, .receipt): break
        }
    }

    /// Receipts go their own way to the wire: they may overtake what waits to be handed over.
    private mutating func confirm(_ id: CallID, from side: Int) {
        switch receipts {
        case .prompt: wires[side].append(.receipt(id))
        case .late: putOff[side].append(id)
        case .never: break
        }
    }

    // MARK: A Parley

    private mutating func input(_ input: CallInput, _ call: CallID, _ side: Int) {
        guard case .parley(var board) = sides[side] else { return }
        let actions = board.handle(input, for: call, at: at(0))
        sides[side] = .parley(board)
        act(actions, side)
    }

    private mutating func act(_ actions: [CallAction], _ side: Int) {
        for action in actions {
            switch action.effect {
            case .send(let message): outboxes[side].append(message)
            case .openMedia: reports[side].append((action.callID, .opened))
            case .media(.makeOffer):
                let offer = SessionDescription(kind: .offer, sdp: Self.sdp)
                reports[side].append((action.callID, .offerMade(offer, [])))
            case .media(.makeAnswer):
                let answer = SessionDescription(kind: .answer, sdp: Self.sdp)
                reports[side].append((action.callID, .answerMade(answer, [])))
            case .closeMedia: reports[side].removeAll { $0.0 == action.callID }
            case .media(.applyAnswer), .media(.addCandidates), .media(.renew), .media(.hold), .startTimer, .stopTimer,
                .record,
                .finished:
                break
            }
        }
    }

    private func rings(_ side: Int) -> Bool {
        switch sides[side] {
        case .parley(let board): board.calls.values.contains { $0.stage == .ringingWithoutConsent }
        case .other(let program): program.rings
        }
    }

    // MARK: What is to be seen

    /// The call of a side as its peer would name it.
    struct View: Equatable {
        var id: CallID
        var role: CallRole
        /// Whether both descriptions are exchanged.
        var isAgreed: Bool
        var key: SecretBytes?
    }

    private func call(_ side: Int) -> View? {
        switch sides[side] {
        case .parley(let board):
            board.calls.values.first.map {
                View(
                    id: $0.wireID, role: $0.role, isAgreed: $0.stage == .acceptedByBothConnecting, key: $0.frameKey)
            }
        case .other(let program): program.view
        }
    }

    /// What is wrong when nothing more can happen; nil when both are in the same call, or in none.
    var discord: String? {
        switch (call(0), call(1)) {
        case (nil, nil): return nil
        case (let one?, let other?):
            guard one.id == other.id, one.role != other.role, one.isAgreed, other.isAgreed, one.key == other.key else {
                return "\(one.id.text) \(one.role) \(one.isAgreed), \(other.id.text) \(other.role) \(other.isAgreed)"
            }
            return nil
        case (let one?, nil): return "the first is alone in \(one.id.text) as \(one.role)"
        case (nil, let other?): return "the second is alone in \(other.id.text) as \(other.role)"
        }
    }

    /// Whether both are in one call.
    var isTogether: Bool { call(0) != nil && discord == nil }

    /// Everything on which the rest depends.
    var key: String {
        let boards = sides.map { side in
            switch side {
            case .parley(let board):
                board.calls.values.map(\.fingerprint).joined() + board.rejections.total.description
            case .other(let program): "\(program)"
            }
        }
        let parcels = wires.map { $0.map(Self.name).joined(separator: ",") }
        let waiting = outboxes.map { $0.map { Self.name(.message($0)) }.joined(separator: ",") }
        let media = reports.map { $0.map { "\($0.0.text)\(Self.name($0.1))" }.joined(separator: ",") }
        let order = [dials, hangUps].map { $0.sorted().description }
        let rest = putOff.map { $0.map(\.text).joined(separator: ",") }
        return (boards + parcels + waiting + media + order + rest).joined(separator: "#")
    }

    private static func name(_ parcel: Parcel) -> String {
        switch parcel {
        case .message(let message): "\(message.event)\(message.callID.text)"
        case .receipt(let id): "receipt\(id.text)"
        }
    }

    private static func name(_ input: MediaInput) -> String {
        switch input {
        case .opened: "opened"
        case .offerMade: "offer"
        case .answerMade: "answer"
        case .renewalOfferMade, .renewalAnswerMade, .event: "other"
        }
    }
}

/// A program of the protocol's authors, as far as calls go (Calls fact sheet §4): it has one call with a contact, and a received
/// invitation replaces it whatever it was.
struct OtherProgram {
    private enum State {
        case none
        case invitationSent(CallID)
        case invitationReceived(CallID, X25519.PublicKey?)
        case offerSent(CallID)
        case negotiated(CallID, CallRole)
    }

    private var state = State.none
    private var keys: CallKeys?
    private var frameKey: SecretBytes?

    var rings: Bool { if case .invitationReceived = state { true } else { false } }

    var view: CrossingWorld.View? {
        switch state {
        case .none: nil
        case .invitationSent(let id): .init(id: id, role: .caller, isAgreed: false, key: frameKey)
        case .invitationReceived(let id, _), .offerSent(let id):
            .init(id: id, role: .callee, isAgreed: false, key: frameKey)
        case .negotiated(let id, let role): .init(id: id, role: role, isAgreed: true, key: frameKey)
        }
    }

    /// Its person calls, also while it rings.
    mutating func dial(_ id: CallID, keys: CallKeys) -> [CallMessage] {
        state = .invitationSent(id)
        self.keys = keys
        return [.invitation(id, Samples.invitation(keys: keys, settlesCrossing: false))]
    }

    mutating func accept(keys: CallKeys) -> [CallMessage] {
        guard case .invitationReceived(let id, let peer?) = state else { return [] }
        state = .offerSent(id)
        frameKey = try? keys.frameKey(with: peer)
        return [.offer(id, Samples.offer(keys: keys))]
    }

    mutating func hangUp() -> [CallMessage] {
        guard let id = view?.id else { return [] }
        state = .none
        return [.end(id)]
    }

    mutating func receive(_ message: CallMessage) -> [CallMessage] {
        switch (message, state) {
        case (.invitation(let id, let invitation), _): state = .invitationReceived(id, invitation.publicKey)
        case (.offer(let id, let offer), .invitationSent(let own)) where id == own:
            frameKey = offer.publicKey.flatMap { try? keys?.frameKey(with: $0) }
            state = .negotiated(id, .caller)
            return [.answer(id, Samples.answer)]
        case (.answer(let id, _), .offerSent(let own)) where id == own: state = .negotiated(id, .callee)
        case (.end(let id, _), _) where view?.id == id: state = .none
        default: break
        }
        return []
    }
}

extension OtherProgram: CustomStringConvertible {
    var description: String {
        "\(view.map { "\($0.id.text)\($0.role)\($0.isAgreed)\($0.key != nil)" } ?? "-")\(rings)\(keys != nil)"
    }
}
