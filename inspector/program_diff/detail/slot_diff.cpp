#include "inspector/program_diff/detail/slot_diff.h"

#include "inspector/program_diff/detail/value_text.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

namespace et::inspector::program_diff::detail {
namespace {

using program::TensorInfo;
using program::Value;
using Partners = std::vector<std::optional<std::size_t>>;

/// Maximum number of slots per side for a comparison of all pairs.
constexpr std::size_t maxSlots = 1024;

std::string dtypeText(const TensorInfo& tensor) {
    return core::scalarTypeName(tensor.scalarType);
}
std::string sizesText(const TensorInfo& tensor) {
    return core::sizesText(tensor.sizes);
}
std::string orderText(const TensorInfo& tensor) {
    return fmt::format("[{}]", fmt::join(tensor.dimOrder, ", "));
}
std::string dynamismText(const TensorInfo& tensor) {
    constexpr std::array names{"static", "bounded", "unbounded"};
    return names[static_cast<std::size_t>(tensor.dynamism)];
}

/// Origin of the tensor's memory.
std::string memoryText(const TensorInfo& tensor) {
    return tensor.allocation ? fmt::format("planned, memory id {}", tensor.allocation->arena.value)
           : tensor.initialData == program::InitialData::None ? "the caller's"
                                                              : "the program's";
}

struct TensorProperty {
    const char* name;
    std::string (*text)(const TensorInfo&);
};
constexpr std::array tensorProperties{TensorProperty{"dtype", dtypeText}, TensorProperty{"sizes", sizesText},
                                      TensorProperty{"dim order", orderText},
                                      TensorProperty{"shape", dynamismText},
                                      TensorProperty{"memory", memoryText}};

/// The number or text of a slot that is not a tensor; empty for other kinds.
std::string valueText(const Value& value) {
    return value.visit([]<class T>(const T& content) -> std::string {
        if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string_view>) {
            return fmt::format("{}", content);
        } else {
            return {};
        }
    });
}

void add(std::vector<AttributeChange>& changes, const char* name, std::string before, std::string after) {
    if (before != after) {
        changes.push_back({name, std::move(before), std::move(after)});
    }
}

SlotDiff compareSlots(const Slots& before, std::size_t left, const Slots& after, std::size_t right) {
    const Value& a = before.method.value(before.ids[left]);
    const Value& b = after.method.value(after.ids[right]);
    SlotDiff diff{.position = right,
                  .before = typeText(before.method, before.ids[left]),
                  .after = typeText(after.method, after.ids[right]),
                  .attributes = {}};
    const auto* tensorBefore = a.as<TensorInfo>();
    const auto* tensorAfter = b.as<TensorInfo>();
    if (tensorBefore != nullptr && tensorAfter != nullptr) {
        for (const TensorProperty& each : tensorProperties) {
            add(diff.attributes, each.name, each.text(*tensorBefore), each.text(*tensorAfter));
        }
    } else {
        add(diff.attributes, "kind", std::string(program::valueTypeName(a)),
            std::string(program::valueTypeName(b)));
        add(diff.attributes, "value", valueText(a), valueText(b));
    }
    diff.change = diff.attributes.empty() ? Change::Same : Change::Changed;
    return diff;
}

SlotDiff loneSlot(const Slots& side, std::size_t position, Change change) {
    SlotDiff diff{.position = position, .change = change, .before = {}, .after = {}, .attributes = {}};
    (change == Change::Removed ? diff.before : diff.after) = typeText(side.method, side.ids[position]);
    return diff;
}

std::vector<std::string> types(const Slots& slots) {
    std::vector<std::string> out;
    for (const program::ValueId id : slots.ids) {
        out.push_back(typeText(slots.method, id));
    }
    return out;
}

/// The longest common subsequence of both lists.
Partners longestRun(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    const std::size_t columns = after.size() + 1;
    std::vector<std::uint16_t> lengths((before.size() + 1) * columns);
    for (std::size_t i = before.size(); i-- > 0;) {
        for (std::size_t j = after.size(); j-- > 0;) {
            lengths[i * columns + j] =
                before[i] == after[j]
                    ? static_cast<std::uint16_t>(lengths[(i + 1) * columns + j + 1] + 1)
                    : std::max(lengths[(i + 1) * columns + j], lengths[i * columns + j + 1]);
        }
    }
    Partners partners(before.size());
    for (std::size_t i = 0, j = 0; i < before.size() && j < after.size();) {
        if (before[i] == after[j]) {
            partners[i++] = j++;
        } else if (lengths[(i + 1) * columns + j] >= lengths[i * columns + j + 1]) {
            ++i;
        } else {
            ++j;
        }
    }
    return partners;
}

}  // namespace

Partners alignSlots(const Slots& before, const Slots& after) {
    const std::size_t left = before.ids.size();
    const std::size_t right = after.ids.size();
    if (left != right && std::max(left, right) <= maxSlots) {
        return longestRun(types(before), types(after));
    }
    Partners partners(left);
    for (std::size_t i = 0; i < std::min(left, right); ++i) {
        partners[i] = i;
    }
    return partners;
}

std::vector<SlotDiff> diffSlots(const Slots& before, const Slots& after, const Partners& partners) {
    std::vector<SlotDiff> diffs;
    std::size_t next = 0;
    for (std::size_t i = 0; i < before.ids.size(); ++i) {
        if (!partners[i]) {
            diffs.push_back(loneSlot(before, i, Change::Removed));
            continue;
        }
        for (; next < *partners[i]; ++next) {
            diffs.push_back(loneSlot(after, next, Change::Added));
        }
        diffs.push_back(compareSlots(before, i, after, next++));
    }
    for (; next < after.ids.size(); ++next) {
        diffs.push_back(loneSlot(after, next, Change::Added));
    }
    return diffs;
}

}  // namespace et::inspector::program_diff::detail
