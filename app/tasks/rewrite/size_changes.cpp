#include "app/tasks/rewrite/size_changes.h"

#include "app/tasks/model/inputs.h"
#include "backends/delegate_part.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::Result;
using etrecord::SymInt;
using program::TensorInfo;
using program::ValueId;

/// Operators that take sizes as a list of numbers.
struct SizeArgumentInfo {
    std::string_view name;  ///< without namespace and overload
    bool isView;            ///< keeps the number of elements of its input
};
constexpr std::array askingOperators = std::to_array<SizeArgumentInfo>({
    {"view_copy", true},
    {"view", true},
    {"_unsafe_view", true},
    {"reshape", true},
    {"et_view", true},
    {"expand_copy", false},
    {"expand", false},
    {"full", false},
    {"zeros", false},
    {"ones", false},
    {"empty", false},
});

const SizeArgumentInfo* askingOf(std::string_view name) {
    const auto found = std::ranges::find(askingOperators, name, &SizeArgumentInfo::name);
    return found == askingOperators.end() ? nullptr : &*found;
}

std::vector<std::int64_t> askedSizes(const SizeArgumentInfo& op, std::span<const std::int64_t> sizes,
                                     const SizeChanges& changes) {
    return op.isView ? changedView(sizes, changes) : backends::changedSizes(sizes, changes);
}

/// Elements of a list of plain numbers; nothing if some are computed, or if it is not a list.
std::optional<std::vector<std::int64_t>> numbersIn(const program::Method& method, ValueId id) {
    const auto* const list = method.value(id).as<program::IntList>();
    if (list == nullptr) {
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    for (const ValueId item : list->items) {
        const auto* const number = method.value(item).as<std::int64_t>();
        if (number == nullptr) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

/// Adds a new list, since other values may share the old one.
ValueId addList(program::Method& method, const std::vector<std::int64_t>& numbers) {
    program::IntList list;
    for (const std::int64_t each : numbers) {
        list.items.emplace_back(static_cast<std::uint32_t>(method.values.size()));
        method.values.emplace_back(each);
    }
    method.values.emplace_back(std::move(list));
    return ValueId(static_cast<std::uint32_t>(method.values.size() - 1));
}

/// Shortens "aten.view_copy.default" and "aten::view_copy" to "view_copy".
std::string_view plainName(std::string_view name, char end) {
    const std::size_t begin = end == '.' ? name.find('.') : name.rfind(':');
    name.remove_prefix(begin == std::string_view::npos ? 0 : begin + 1);
    return end == '.' ? name.substr(0, name.find('.')) : name;
}

/// Shrinks a dense constant, in memory order.
Result<> shrinkConstant(TensorInfo& tensor, const SizeChanges& constants,
                        const executor::NamedDataSource& named, std::deque<std::vector<std::byte>>& kept) {
    const std::vector<std::int64_t> after = backends::changedSizes(tensor.sizes, constants);
    if (tensor.initialData == program::InitialData::None || after == tensor.sizes) {
        return {};
    }
    const auto elements = core::tensorBytes(tensor.scalarType, std::vector<std::int64_t>{1});
    const auto data = tensor.initialData == program::InitialData::Program ? std::optional(tensor.data)
                                                                          : named.find(tensor.name);
    if (!data || !elements) {
        return core::fail(ErrorCode::NotFound,
                          fmt::format("no data named \"{}\"", core::printable(tensor.name)));
    }
    std::vector<std::int64_t> lying;
    std::vector<std::int64_t> smaller;
    for (const std::uint8_t d : tensor.dimOrder) {
        lying.push_back(tensor.sizes[d]);
        smaller.push_back(after[d]);
    }
    ET_ASSIGN(auto block, backends::leadingBlock(*data, static_cast<std::size_t>(*elements), lying, smaller));
    tensor.data = kept.emplace_back(std::move(block));
    tensor.initialData = program::InitialData::Program;
    tensor.sizes = after;
    tensor.byteSize = static_cast<std::int64_t>(tensor.data.size());
    return {};
}

/// Sizes, in memory order, of the arguments of a call that are inputs of the method.
std::map<std::uint32_t, std::vector<std::int64_t>> inputsOf(const program::Method& method,
                                                            const program::DelegateCall& call) {
    std::map<std::uint32_t, std::vector<std::int64_t>> sizes;
    for (std::uint32_t i = 0; i < call.args.size(); ++i) {
        const auto* const tensor = method.value(call.args[i]).as<TensorInfo>();
        if (tensor == nullptr || !std::ranges::contains(method.inputs, call.args[i])) {
            continue;
        }
        for (const std::uint8_t d : tensor->dimOrder) {
            sizes[i].push_back(tensor->sizes[d]);
        }
    }
    return sizes;
}

}  // namespace

std::string sizeChangesText(const SizeChanges& changes) {
    std::string text;
    for (const auto& [before, after] : changes) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : ",", before, after);
    }
    return text;
}

Result<SizeChanges> parseSizeChanges(std::string_view text) {
    SizeChanges changes;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string_view word = text.substr(at, end - at);
        const std::size_t colon = std::min(word.find(':'), word.size());
        const auto before = sizesOf(word.substr(0, colon));
        const auto after = sizesOf(word.substr(std::min(colon + 1, word.size())));
        const bool isChange = before && after && before->size() == 1 && after->size() == 1 &&
                              1 <= after->front() && after->front() < before->front();
        if (!isChange || !changes.emplace(before->front(), after->front()).second) {
            return core::fail(
                ErrorCode::InvalidArgument,
                fmt::format("expected smaller sizes such as 48:1,8:4, got \"{}\"", core::printable(text)));
        }
        at = end + 1;
    }
    return changes;
}

SizeChanges sizeChanges(const PartSizes& before, const PartSizes& after) {
    SizeChanges changes;
    for (std::size_t i = 0; i < before.size() && i < after.size(); ++i) {
        for (std::size_t d = 0; before[i] && after[i] && d < before[i]->size() && d < after[i]->size(); ++d) {
            if ((*before[i])[d] != (*after[i])[d]) {
                changes.emplace((*before[i])[d], (*after[i])[d]);
            }
        }
    }
    return changes;
}

std::vector<std::int64_t> changedView(std::span<const std::int64_t> view, const SizeChanges& changes) {
    std::vector<std::int64_t> out = backends::changedSizes(view, changes);
    if (changes.empty() || view.empty() || std::ranges::contains(view, -1)) {
        return out;
    }
    // A size that is a product of a changing size and others; otherwise the largest one.
    const auto isProduct = [&](std::int64_t size) {
        return !changes.contains(size) && size > 1 && std::ranges::any_of(changes, [&](const auto& each) {
            return each.first > 1 && size % each.first == 0;
        });
    };
    const auto product = std::ranges::find_if(view, isProduct);
    const auto left = product != view.end() ? product : std::ranges::max_element(view);
    out[static_cast<std::size_t>(left - view.begin())] = -1;
    return out;
}

void changeAskedSizes(program::Method& method, const SizeChanges& changes) {
    if (changes.empty()) {
        return;
    }
    for (program::Instruction& instruction : method.chains.front().instructions) {
        auto* const call = std::get_if<program::KernelCall>(&instruction);
        const SizeArgumentInfo* const op =
            call == nullptr ? nullptr : askingOf(plainName(method.op(call->op).name, ':'));
        for (std::size_t i = 0; op != nullptr && i < call->args.size(); ++i) {
            if (const auto sizes = numbersIn(method, call->args[i])) {
                call->args[i] = addList(method, askedSizes(*op, *sizes, changes));
                break;
            }
        }
    }
}

void changeAskedSizes(etrecord::ExportedGraph& graph, const SizeChanges& changes) {
    if (changes.empty()) {
        return;
    }
    for (etrecord::Node& node : graph.nodes) {
        const SizeArgumentInfo* const op = askingOf(plainName(node.op, '.'));
        for (std::size_t i = 0; op != nullptr && i < node.inputs.size(); ++i) {
            auto* const list = std::get_if<std::vector<SymInt>>(&node.inputs[i].value);
            if (list == nullptr || !std::ranges::all_of(*list, &std::string::empty, &SymInt::expression)) {
                continue;
            }
            std::vector<std::int64_t> sizes;
            std::ranges::transform(*list, std::back_inserter(sizes), &SymInt::value);
            sizes = askedSizes(*op, sizes, changes);
            for (std::size_t k = 0; k < sizes.size(); ++k) {
                (*list)[k].value = sizes[k];
            }
            break;
        }
    }
}

Result<> shrinkConstants(program::Method& method, const SizeChanges& asked, const SizeChanges& constants,
                         const executor::NamedDataSource& named, std::deque<std::vector<std::byte>>& kept) {
    if (asked.empty() && constants.empty()) {
        return {};
    }
    for (program::Value& value : method.values) {
        if (auto* const tensor = value.as<TensorInfo>()) {
            ET_TRY(shrinkConstant(*tensor, constants, named, kept));
        }
    }
    std::set<std::uint32_t> called;
    for (program::Instruction& instruction : method.chains.front().instructions) {
        auto* const call = std::get_if<program::DelegateCall>(&instruction);
        if (call == nullptr || !called.insert(call->delegate.value).second) {
            continue;
        }
        program::Delegate& delegate = method.delegates[call->delegate.value];
        auto payload = backends::shrunkPayload(
            delegate, {.asked = asked, .constants = constants, .inputs = inputsOf(method, *call)}, named);
        if (!payload && payload.error().code == ErrorCode::Unsupported && constants.empty()) {
            continue;  // a delegate of another backend, which may support smaller inputs unchanged
        }
        ET_TRY(payload);
        delegate.payload = kept.emplace_back(*std::move(payload));
        delegate.segment.reset();
    }
    return {};
}

void changeGroups(etrecord::ExportedGraph& graph, const SizeChanges& constants) {
    for (etrecord::Node& node : graph.nodes) {
        for (etrecord::Argument& argument : node.inputs) {
            auto* const number = std::get_if<std::int64_t>(&argument.value);
            if (number != nullptr && argument.name == "groups" && constants.contains(*number)) {
                *number = constants.at(*number);
            }
        }
    }
}

std::vector<std::int64_t> collectConstantSizes(const program::Method& method) {
    std::set<std::int64_t, std::greater<>> sizes;
    for (const program::Value& value : method.values) {
        const auto* const tensor = value.as<TensorInfo>();
        if (tensor != nullptr && tensor->initialData != program::InitialData::None) {
            sizes.insert(tensor->sizes.begin(), tensor->sizes.end());
        }
    }
    for (const program::Instruction& instruction : method.chains.front().instructions) {
        const auto* const call = std::get_if<program::DelegateCall>(&instruction);
        const auto inside = call == nullptr ? Result<std::vector<std::int64_t>>()
                                            : backends::constantSizes(method.delegate(call->delegate));
        if (inside) {
            sizes.insert(inside->begin(), inside->end());
        }
    }
    return {sizes.begin(), sizes.lower_bound(1)};
}

}  // namespace et::tasks
