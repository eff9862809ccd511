#include "inspector/program_diff/detail/step_keys.h"

#include "inspector/join/dense_index.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace et::inspector::program_diff::detail {
namespace {

/// Constants up to this size are hashed completely, larger ones by this number of samples of this size.
constexpr std::size_t wholeBytes = 4096;
constexpr std::size_t samples = 64;
constexpr std::size_t sampleBytes = 64;

std::uint64_t hashOf(std::string_view text) {
    return std::hash<std::string_view>{}(text);
}

std::uint64_t hashOf(core::Bytes bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.size() <= wholeBytes) {
        return hashOf(text);
    }
    std::uint64_t hash = text.size();
    const std::size_t step = (text.size() - sampleBytes) / (samples - 1);
    for (std::size_t i = 0; i < samples; ++i) {
        hash = join::detail::combineHash(hash, hashOf(text.substr(i * step, sampleBytes)));
    }
    return hash;
}

std::uint64_t hashOf(const std::vector<core::GraphAttribute>& attributes) {
    std::uint64_t hash = attributes.size();
    for (const core::GraphAttribute& each : attributes) {
        hash =
            join::detail::combineHash(join::detail::combineHash(hash, hashOf(each.name)), hashOf(each.text));
    }
    return hash;
}

/// Hash of an operand's properties that are independent of its source.
std::uint64_t formOf(const Operand& operand) {
    const bool own = operand.kind == Operand::Kind::Literal || operand.kind == Operand::Kind::Constant ||
                     operand.kind == Operand::Kind::State;
    const std::uint64_t hash =
        join::detail::combineHash(operand.argument, own ? static_cast<std::uint64_t>(operand.kind) : 99);
    return own ? join::detail::combineHash(join::detail::combineHash(hash, hashOf(operand.text)),
                                           hashOf(operand.attributes))
               : hash;
}

std::uint64_t formOf(const Step& step, std::uint64_t kind) {
    std::uint64_t hash = join::detail::combineHash(kind, hashOf(step.attributes));
    for (const Operand& operand : step.operands) {
        hash = join::detail::combineHash(hash, formOf(operand));
    }
    for (const StepResult& result : step.results) {
        hash = join::detail::combineHash(join::detail::combineHash(hash, hashOf(result.type)),
                                         hashOf(result.attributes));
    }
    return hash;
}

std::uint64_t contentOf(const Step& step, std::uint64_t form) {
    std::uint64_t hash = form;
    for (const Operand& operand : step.operands) {
        if (operand.kind == Operand::Kind::Constant || operand.kind == Operand::Kind::State) {
            hash = join::detail::combineHash(hash, hashOf(operand.constant.bytes));
        }
    }
    return hash;
}

/// Combines `member` of the steps that a step reads from, in operand order.
std::uint64_t above(const Step& step, const std::vector<StepKey>& keys, std::uint64_t StepKey::* member) {
    std::uint64_t hash = 1;
    for (const Operand& operand : step.operands) {
        const bool fromStep = operand.kind == Operand::Kind::Step;
        hash = join::detail::combineHash(
            hash, fromStep ? keys[operand.index].*member : static_cast<std::uint64_t>(operand.kind));
        hash = join::detail::combineHash(
            hash, operand.kind == Operand::Kind::Input ? operand.index : operand.output);
    }
    return hash;
}

}  // namespace

std::vector<StepKey> keysOf(const StepList& list) {
    std::vector<StepKey> keys(list.steps.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Step& step = list.steps[i];
        keys[i].kind = hashOf(step.kind);
        keys[i].form = formOf(step, keys[i].kind);
        keys[i].content = contentOf(step, keys[i].form);
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i].above = above(list.steps[i], keys, &StepKey::form);
        for (const Operand& operand : list.steps[i].operands) {
            if (operand.kind == Operand::Kind::Step) {
                // A sum, because readers are unordered.
                keys[operand.index].below += join::detail::mixBits(keys[i].kind);
            }
        }
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i].farAbove = above(list.steps[i], keys, &StepKey::above);
    }
    for (StepKey& key : keys) {
        key.all = join::detail::combineHash(join::detail::combineHash(key.content, key.farAbove),
                                            join::detail::combineHash(key.above, key.below));
    }
    return keys;
}

}  // namespace et::inspector::program_diff::detail
