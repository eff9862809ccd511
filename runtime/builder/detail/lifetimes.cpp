#include "runtime/builder/detail/lifetimes.h"

#include <algorithm>
#include <numeric>

namespace et::builder::detail {

using program::ValueId;

namespace {

/// Disjoint sets of values that share memory, each with a representative.
class Groups {
  public:
    explicit Groups(std::size_t count) : parents(count) { std::iota(parents.begin(), parents.end(), 0U); }

    std::uint32_t leader(std::uint32_t value) {
        while (parents[value] != value) {
            value = parents[value] = parents[parents[value]];
        }
        return value;
    }
    void join(std::uint32_t left, std::uint32_t right) {
        if (left < parents.size() && right < parents.size()) {
            parents[leader(left)] = leader(right);
        }
    }

  private:
    std::vector<std::uint32_t> parents;
};

/// The range of a loop, if the instruction is a backward jump.
Lifetime loopRange(const program::Instruction& instruction, std::int64_t step) {
    const auto* jump = std::get_if<program::JumpFalseCall>(&instruction);
    Lifetime loop;
    if (jump != nullptr && jump->destination.value <= step) {
        loop.cover(jump->destination.value);
        loop.cover(step);
    }
    return loop;
}

class Walk {
  public:
    Walk(const program::Method& of, const program::Chain& what,
         const std::map<std::uint32_t, std::uint32_t>& aliases)
        : method(of), chain(what), groups(of.values.size()), lives(of.values.size()) {
        for (const auto& [value, other] : aliases) {
            groups.join(value, other);
        }
        for (const program::Instruction& instruction : chain.instructions) {
            if (const auto* move = std::get_if<program::MoveCall>(&instruction)) {
                groups.join(move->from.value, move->to.value);
            }
        }
    }

    std::vector<Lifetime> run() {
        touchAll(method.inputs, -1);
        for (std::size_t i = 0; i < chain.instructions.size(); ++i) {
            step = static_cast<std::int64_t>(i);
            std::visit(*this, chain.instructions[i]);
        }
        touchAll(method.outputs, static_cast<std::int64_t>(chain.instructions.size()));
        widenInLoops();
        std::vector<Lifetime> result;
        for (std::uint32_t value = 0; value < lives.size(); ++value) {
            result.push_back(lives[groups.leader(value)]);
        }
        return result;
    }

    void operator()(const program::KernelCall& call) { touchAll(call.args, step); }
    void operator()(const program::DelegateCall& call) { touchAll(call.args, step); }
    void operator()(const program::MoveCall& call) {
        touch(call.from, step);
        touch(call.to, step);
    }
    void operator()(const program::JumpFalseCall& call) { touch(call.condition, step); }
    void operator()(const program::FreeCall& call) { touch(call.value, step); }

  private:
    void touchAll(const std::vector<ValueId>& ids, std::int64_t at) {
        for (const ValueId id : ids) {
            touch(id, at);
        }
    }

    void touch(ValueId id, std::int64_t at) {
        if (id.value >= lives.size()) {
            return;  // reported elsewhere
        }
        lives[groups.leader(id.value)].cover(at);
        if (const auto* list = method.value(id).as<program::TensorList>()) {
            touchAll(list->items, at);
        } else if (const auto* optionals = method.value(id).as<program::OptionalTensorList>()) {
            for (const std::optional<ValueId>& item : optionals->items) {
                if (item) {
                    touch(*item, at);
                }
            }
        }
    }

    /// Repeated, because extending a value's lifetime through a loop may take it into another loop.
    void widenInLoops() {
        bool changed = true;
        while (changed) {
            changed = false;
            for (std::size_t i = 0; i < chain.instructions.size(); ++i) {
                const Lifetime loop = loopRange(chain.instructions[i], static_cast<std::int64_t>(i));
                changed = (loop.used && widenIn(loop)) || changed;
            }
        }
    }

    bool widenIn(const Lifetime& loop) {
        bool changed = false;
        for (Lifetime& life : lives) {
            if (life.used && life.meets(loop) && (life.first > loop.first || life.last < loop.last)) {
                life.cover(loop);
                changed = true;
            }
        }
        return changed;
    }

    const program::Method& method;
    const program::Chain& chain;
    Groups groups;
    std::vector<Lifetime> lives;
    std::int64_t step = 0;
};

}  // namespace

void Lifetime::cover(std::int64_t at) {
    first = used ? std::min(first, at) : at;
    last = used ? std::max(last, at) : at;
    used = true;
}

void Lifetime::cover(const Lifetime& other) {
    cover(other.first);
    cover(other.last);
}

bool Lifetime::meets(const Lifetime& other) const {
    return first <= other.last && other.first <= last;
}

std::vector<Lifetime> computeLifetimes(const program::Method& method, const program::Chain& chain,
                                       const std::map<std::uint32_t, std::uint32_t>& aliases) {
    return Walk(method, chain, aliases).run();
}

}  // namespace et::builder::detail
