#include "inspector/comparison/likeness.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace et::inspector {
namespace {

/// Weight of a pair; sequences that are compared fully have fewer pairs than this.
constexpr std::uint32_t pairWorth = 16384;

/// Removes the counter: "Convolution (NHWC, F32) IGEMM" of "Convolution (NHWC, F32) IGEMM #2".
std::string_view withoutCounter(std::string_view name) {
    const std::size_t at = name.rfind(" #");
    const bool counted = at != std::string_view::npos && at + 2 < name.size() &&
                         name.find_first_not_of("0123456789", at + 2) == std::string_view::npos;
    return counted ? name.substr(0, at) : name;
}

/// Name traits of the backend that runs an operator; null if it is not inside a delegate or the backend is
/// unknown.
const executor::TraceConventions* infoOf(const OperatorTimes& each, Likeness::Backends backends) {
    if (each.kind != OperatorKind::DelegatedOperator) {
        return nullptr;
    }
    if (const executor::Backend* backend = executor::findBackend(backends, each.backend)) {
        return &backend->traceConventions();
    }
    const auto found = std::ranges::find_if(backends, [&](const executor::Backend* one) {
        const auto isOperator = one->traceConventions().isOperator;
        return isOperator != nullptr && isOperator(each.name);
    });
    return found == backends.end() ? nullptr : &(*found)->traceConventions();
}

/// Type of the computation, independent of the kernel.
std::string_view typeOf(const OperatorTimes& each, const executor::TraceConventions* traits) {
    const std::string_view name = withoutCounter(each.name);
    return traits == nullptr ? name : traits->type(name);
}

/// The family of a type, or the type itself.
std::string_view familyOf(std::string_view type, const executor::TraceConventions* traits) {
    if (traits == nullptr) {
        return type;
    }
    const auto found = std::ranges::find_if(traits->families, [type](const executor::OperatorFamily& family) {
        return std::ranges::contains(family.operators, type);
    });
    return found == traits->families.end() ? type : found->what;
}

/// Known content of a delegate call.
struct Inside {
    std::set<std::int64_t> handles;
    std::set<std::string, std::less<>> operators;  ///< names in the Edge graph and in the trace

    [[nodiscard]] bool isKnown() const { return !handles.empty() || !operators.empty(); }
};

template <class Item, class Order>
bool shareAny(const std::set<Item, Order>& left, const std::set<Item, Order>& right) {
    return std::ranges::any_of(left, [&](const Item& each) { return right.contains(each); });
}

/// Two calls with unknown content may be the same.
bool mayBeSame(const Inside& a, const Inside& b) {
    if (!a.isKnown() || !b.isKnown()) {
        return true;
    }
    return shareAny(a.operators, b.operators) ||
           ((a.operators.empty() || b.operators.empty()) && shareAny(a.handles, b.handles));
}

}  // namespace

/// Assigns numbers to names and types.
class Likeness::Maker {
  public:
    explicit Maker(Backends known) : backends(known) {}

    std::vector<Key> keysOf(Operators side) {
        std::vector<Key> keys;
        std::size_t calls = 0;
        for (const OperatorTimes& each : side) {
            const bool isCall = each.kind == OperatorKind::DelegateCall;
            const executor::TraceConventions* traits = infoOf(each, backends);
            // A delegate's name is only known with a record or a program.
            const std::string_view type = isCall ? "" : typeOf(each, traits);
            keys.push_back({.name = numberOf(isCall ? "" : withoutCounter(each.name), each.kind),
                            .type = numberOf(type, each.kind),
                            .family = numberOf(familyOf(type, traits), each.kind),
                            .call = isCall ? calls++ : 0});
        }
        return keys;
    }

    std::uint32_t callFamily() { return numberOf("", OperatorKind::DelegateCall); }

    [[nodiscard]] std::vector<Inside> callsOf(Operators side) const {
        std::vector<Inside> calls;
        std::map<std::pair<std::int64_t, core::InstructionId>, std::size_t> places;
        for (const OperatorTimes& each : side) {
            if (each.kind == OperatorKind::DelegateCall) {
                places[{each.chain, each.instruction}] = calls.size();
                add(each, calls.emplace_back());
            }
        }
        for (const OperatorTimes& each : side) {
            const auto call = places.find({each.chain, each.instruction});
            if (each.kind == OperatorKind::DelegatedOperator && call != places.end()) {
                Inside& inside = calls[call->second];
                add(each, inside);
                const executor::TraceConventions* traits = infoOf(each, backends);
                inside.operators.emplace(familyOf(typeOf(each, traits), traits));
            }
        }
        return calls;
    }

  private:
    static void add(const OperatorTimes& each, Inside& inside) {
        for (const core::DebugHandle handle : each.handles) {
            inside.handles.insert(handle.value);
        }
        inside.operators.insert(each.nodes.begin(), each.nodes.end());
    }

    std::uint32_t numberOf(std::string_view name, OperatorKind kind) {
        const auto next = static_cast<std::uint32_t>(numbers.size());
        return numbers.try_emplace({kind, std::string(name)}, next).first->second;
    }

    Backends backends;
    std::map<std::pair<OperatorKind, std::string>, std::uint32_t> numbers;
};

Likeness::Likeness(Operators a, Operators b, Backends backends) {
    Maker maker(backends);
    keysA = maker.keysOf(a);
    keysB = maker.keysOf(b);
    callFamily = maker.callFamily();
    const std::vector<Inside> callsA = maker.callsOf(a);
    const std::vector<Inside> callsB = maker.callsOf(b);
    callsOfB = callsB.size();
    for (const Inside& inA : callsA) {
        for (const Inside& inB : callsB) {
            callsOverlap.push_back(mayBeSame(inA, inB));
        }
    }
}

std::uint32_t Likeness::of(std::size_t inA, std::size_t inB) const {
    const Key& a = keysA[inA];
    const Key& b = keysB[inB];
    if (a.family != b.family) {
        return 0;
    }
    if (a.family == callFamily) {
        return callsOverlap[a.call * callsOfB + b.call] ? pairWorth : 0;
    }
    return pairWorth + (a.type == b.type ? 1 : 0) + (a.name == b.name ? 1 : 0);
}

}  // namespace et::inspector
