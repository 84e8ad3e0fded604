import CGLib

/// Why a signal could not be emitted.
public enum SignalError: Error, Equatable, Sendable {
    /// The object's type has no signal of this name.
    case unknownSignal(String)
    /// The signal has another number of parameters.
    case wrongCount(expected: Int)
    /// The parameter at this index can't be written into the signal's type.
    case wrongKind(index: Int)
}

extension Object {
    /// Emits a signal (also an action signal such as webrtcbin's `create-offer`) and gives its result, or nil when it has none.
    @discardableResult
    public func emit(_ signal: String, _ parameters: (any ValueWritable)?...) throws(SignalError) -> Value? {
        var identifier: guint = 0
        var detail: GQuark = 0
        guard g_signal_parse_name(signal, type, &identifier, &detail, 1) != 0 else {
            throw .unknownSignal(signal)
        }
        var query = GSignalQuery()
        g_signal_query(identifier, &query)
        guard Int(query.n_params) == parameters.count else { throw .wrongCount(expected: Int(query.n_params)) }

        let values = UnsafeMutableBufferPointer<GValue>.allocate(capacity: parameters.count + 1)
        values.initialize(repeating: GValue())
        defer {
            for index in values.indices where values[index].g_type != 0 {
                g_value_unset(values.baseAddress.map { $0 + index })
            }
            values.deallocate()
        }
        guard let first = values.baseAddress else { return nil }
        g_value_init(first, type)
        g_value_set_object(first, raw)
        for (index, parameter) in parameters.enumerated() {
            let place = first + (index + 1)
            g_value_init(place, query.param_types[index] & ~signalStaticScope)
            if let parameter, !parameter.write(to: place) { throw .wrongKind(index: index) }
        }
        let resultType = query.return_type & ~signalStaticScope
        guard resultType != FundamentalType.none.rawValue else {
            g_signal_emitv(first, identifier, detail, nil)
            return nil
        }
        let result = Value(type: resultType)
        g_signal_emitv(first, identifier, detail, result.storage)
        return result
    }
}

/// `G_SIGNAL_TYPE_STATIC_SCOPE` (gsignal.h), a macro that Swift does not import.
private let signalStaticScope: GType = 1
