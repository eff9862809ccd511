#include "app/tasks/debug/command_text.h"
#include "app/tasks/debug/debug_commands.h"
#include "app/tasks/debug/recording_file.h"
#include "app/tasks/debug/stored_value.h"
#include "inspector/numeric_gap/metrics.h"
#include "inspector/tensor_files/tensor_view.h"
#include "runtime/core/element_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <utility>

// Commands that change values and instructions, and compare the branches that this makes.
namespace et::tasks::debug_commands {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using expression::Array;

/// New content of a value, with its memory, which moves with it.
struct NewContent {
    std::vector<std::byte> bytes{};
    std::vector<std::int64_t> sizes{};
    InputSet file{};
    executor::InputValue value{};  ///< borrows from the others
};

/// Rounds to the element type; integers are clamped to its range.
template <class T>
T elementOf(double number) {
    if constexpr (std::is_same_v<T, bool>) {
        return number != 0;
    } else if constexpr (std::is_integral_v<T>) {
        constexpr auto low = static_cast<double>(std::numeric_limits<T>::min());
        constexpr auto high = static_cast<double>(std::numeric_limits<T>::max());
        if (std::isnan(number)) {
            return 0;
        }
        const double whole = std::nearbyint(number);
        return whole <= low    ? std::numeric_limits<T>::min()
               : whole >= high ? std::numeric_limits<T>::max()
                               : static_cast<T>(whole);
    } else {
        return static_cast<T>(number);
    }
}

/// The bytes of row-major numbers in the tensor's dtype.
Result<std::vector<std::byte>> bytesOf(const std::vector<double>& numbers, core::ScalarType dtype) {
    std::vector<std::byte> bytes;
    const bool known = core::visitRealType(
        dtype,
        [&]<class T>(std::type_identity<T>) {
            bytes.resize(numbers.size() * sizeof(T));
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                const T element = elementOf<T>(numbers[i]);
                std::memcpy(bytes.data() + i * sizeof(T), &element, sizeof(T));
            }
            return true;
        },
        [] { return false; });
    return known ? Result<std::vector<std::byte>>(std::move(bytes))
                 : fail(ErrorCode::Unsupported,
                        fmt::format("cannot set values of {}", core::scalarTypeName(dtype)));
}

/// A tensor like `old` with these row-major numbers; one number fills it.
Result<> fill(NewContent& content, const core::Tensor& old, const std::vector<std::size_t>& positions,
              const std::vector<double>& given, const std::vector<double>& current) {
    if (given.size() != 1 && given.size() != positions.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected 1 or {} numbers, got {}", positions.size(), given.size()));
    }
    std::vector<double> numbers = current;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        numbers[positions[i]] = given.size() == 1 ? given.front() : given[i];
    }
    ET_ASSIGN(content.bytes, bytesOf(numbers, old.dtype()));
    content.sizes.assign(old.sizes().begin(), old.sizes().end());
    content.value = executor::TensorInput{
        .dtype = old.dtype(), .sizes = content.sizes, .dimOrder = {}, .data = content.bytes};
    return {};
}

Result<> setScalar(NewContent& content, const core::Value& old, double number) {
    if (old.as<std::int64_t>() != nullptr) {
        content.value = static_cast<std::int64_t>(number);
    } else if (old.as<double>() != nullptr) {
        content.value = number;
    } else if (old.as<bool>() != nullptr) {
        content.value = number != 0;
    } else {
        return fail(ErrorCode::Unsupported, "only tensors and numbers can be set");
    }
    return {};
}

/// The numbers that the right side of `set` means: reference, or an expression.
Result<std::vector<double>> newNumbers(CommandContext& context, const NamedValue& value,
                                       std::string_view text) {
    DebugValues& values = context.debugger.values();
    if (text == "reference") {
        ET_ASSIGN(const inspector::GapTensor* const tensor, values.referenceOf(value));
        ET_ASSIGN(const auto array, expression::arrayOf(tensor->tensor.view));
        return array->numbers;
    }
    ET_ASSIGN(const auto parsed, expression::Expression::parse(text));
    ET_ASSIGN(const expression::Operand operand, parsed.evaluate(DebugScope(values, nullptr)));
    ET_ASSIGN(const auto array, expression::arrayOf(operand));
    return array->numbers;
}

bool isFileName(std::string_view text) {
    const std::size_t dot = text.rfind('.');
    const std::string_view ending = dot == std::string_view::npos ? std::string_view() : text.substr(dot);
    return ending == ".npy" || ending == ".npz" || ending == ".pt" || ending == ".bin";
}

/// The tensor of a file that fits the value.
Result<> readContent(CommandContext& context, NewContent& content, const NamedValue& value,
                     std::string_view file) {
    ET_ASSIGN(const MethodIndex* const method, context.debugger.values().method());
    program::Method only;
    only.name = method->method().name;
    only.values.push_back(method->method().value(*value.id));
    only.inputs.emplace_back(0U);
    const std::string name(file);
    ET_ASSIGN(content.file, makeInputs(only, std::span(&name, 1), 0,
                                       context.debugger.timeline().model().limits.memoryBytes));
    content.value = content.file.values.front();
    return {};
}

struct Assignment {
    std::string_view name;
    std::vector<expression::Range> slice{};
    std::string_view right;
};

/// "VALUE[SLICE] = RIGHT".
Result<Assignment> splitAssignment(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return fail(ErrorCode::InvalidArgument,
                    "set: expected 'set VALUE = NUMBER|FILE|reference|EXPRESSION'");
    }
    Assignment parts{.name = withoutBlanks(text.substr(0, equals)),
                     .right = withoutBlanks(text.substr(equals + 1))};
    const std::size_t bracket = parts.name.find('[');
    if (bracket != std::string_view::npos) {
        ET_ASSIGN(parts.slice, expression::parseSlice(parts.name.substr(bracket)));
        parts.name = parts.name.substr(0, bracket);
    }
    return parts;
}

Result<NewContent> makeContent(CommandContext& context, const NamedValue& value, const Assignment& parts) {
    NewContent content;
    if (isFileName(parts.right)) {
        ET_TRY(readContent(context, content, value, parts.right));
        return content;
    }
    ET_ASSIGN(const std::vector<double> given, newNumbers(context, value, parts.right));
    // The reference may have moved the time line.
    ET_ASSIGN(const DebugValue now, context.debugger.timeline().value(*value.id));
    const auto* const tensor = now.value->as<core::Tensor>();
    if (tensor == nullptr) {
        if (given.size() != 1) {
            return fail(ErrorCode::InvalidArgument, fmt::format("expected one number, got {}", given.size()));
        }
        ET_TRY(setScalar(content, *now.value, given.front()));
        return content;
    }
    ET_ASSIGN(const auto array, expression::arrayOf(*tensor));
    ET_ASSIGN(const std::vector<std::size_t> positions,
              expression::slicePositions(array->sizes, parts.slice));
    ET_TRY(fill(content, *tensor, positions, given, array->numbers));
    return content;
}

Dict branchInfo(std::size_t id, const BranchInfo& branch) {
    return {{"id", wholeCell(id)},
            {"parent", wholeCell(branch.parent)},
            {"execution", wholeCell(branch.from.execution)},
            {"step", wholeCell(branch.from.step)},
            {"edit", branch.edit}};
}

Result<std::uint64_t> branchArgument(const Timeline& timeline, std::string_view command,
                                     std::string_view text) {
    ET_ASSIGN(const std::uint64_t id, wholeArgument(command, text));
    const std::size_t count = timeline.branches().size();
    if (id >= count) {
        return fail(ErrorCode::NotFound, fmt::format("no branch {}: there are {}", id, count));
    }
    return id;
}

/// Values of all tensors at the point, by id; constants are equal in all branches.
std::map<std::uint32_t, std::shared_ptr<const Array>> tensorsOf(Timeline& timeline) {
    std::map<std::uint32_t, std::shared_ptr<const Array>> all;
    for (const DebugValue& each : timeline.values()) {
        const auto* const tensor = each.value != nullptr ? each.value->as<core::Tensor>() : nullptr;
        if (tensor == nullptr || each.isConstant || tensor->raw() == nullptr) {
            continue;
        }
        if (const auto array = expression::arrayOf(*tensor)) {  // others cannot be compared
            all.emplace(each.id.value, *array);
        }
    }
    return all;
}

/// A row for each tensor of this branch that differs from the other's.
Result<List> differences(CommandContext& context,
                         const std::map<std::uint32_t, std::shared_ptr<const Array>>& mine,
                         const std::map<std::uint32_t, std::shared_ptr<const Array>>& others) {
    List rows;
    for (const auto& [id, array] : mine) {
        const auto other = others.find(id);
        if (other == others.end() || other->second->numbers.size() != array->numbers.size()) {
            continue;
        }
        const inspector::GapNumbers gap =
            inspector::measureGap(other->second->numbers, array->numbers, inspector::FloatFormat::None);
        const auto largest = gap[inspector::GapMetric::MaxAbsolute];
        if (!largest || *largest == 0) {
            continue;
        }
        ET_ASSIGN(const DebugValue value, context.debugger.timeline().value(program::ValueId(id)));
        ET_ASSIGN(const NamedValue named, context.debugger.values().named(value));
        rows.emplace_back(Dict{{"name", named.name},
                               {"id", wholeCell(id)},
                               {"max_error", numberCell(*largest)},
                               {"mse", metricCell(gap, inspector::GapMetric::Mse)},
                               {"snr", metricCell(gap, inspector::GapMetric::Snr)}});
    }
    return rows;
}

}  // namespace

Result<Dict> setValue(CommandContext& context, std::string_view arguments) {
    ET_TRY(requireExecution(context));
    ET_ASSIGN(const Assignment parts, splitAssignment(arguments));
    ET_ASSIGN(const NamedValue value, context.debugger.values().find(parts.name));
    if (!value.id) {
        return fail(ErrorCode::Unsupported, "values inside delegates cannot be set");
    }
    ET_ASSIGN(const NewContent content, makeContent(context, value, parts));
    Timeline& timeline = context.debugger.timeline();
    ET_TRY(timeline.setValue(*value.id, content.value));
    return Dict{{"branch", branchInfo(timeline.branch(), timeline.branches()[timeline.branch()])}};
}

Result<Dict> skip(CommandContext& context, std::string_view) {
    ET_TRY(requireExecution(context));
    ET_TRY(context.debugger.timeline().skip());
    ET_ASSIGN(const Stop stop, context.debugger.arrive(StopReason::Step));
    return stopInfo(context.debugger, stop);
}

/// Runs the next instruction, then goes back and replaces its results with those of the reference. Results
/// that the reference does not have, such as placeholders, are kept.
Result<Dict> force(CommandContext& context, std::string_view) {
    ET_TRY(requireExecution(context));
    Timeline& timeline = context.debugger.timeline();
    const TimelinePoint before = timeline.point();
    if (before.node) {
        return fail(ErrorCode::InvalidArgument,
                    "operators inside a delegate cannot be forced: 'reverse-finish' goes to the whole call");
    }
    ET_ASSIGN(const bool moved, timeline.step());
    if (!moved) {
        return fail(ErrorCode::InvalidArgument, "the execution has ended");
    }
    ET_ASSIGN(const std::vector<NamedValue> results, context.debugger.values().results());
    std::vector<NewContent> contents;
    std::deque<StoredValue> own;
    std::vector<executor::InputValue> values;
    std::optional<core::Error> missing;
    for (const NamedValue& result : results) {
        auto content = makeContent(context, result, {.name = result.name, .right = "reference"});
        if (!content) {
            missing = content.error();
            ET_ASSIGN(const DebugValue now, timeline.value(*result.id));
            values.push_back(inputOf(own.emplace_back(storedValue(*now.value))));
            continue;
        }
        values.push_back(content->value);
        contents.push_back(*std::move(content));
    }
    ET_TRY(timeline.jump(before));
    if (contents.empty()) {
        return missing ? std::unexpected(*missing)
                       : fail(ErrorCode::InvalidArgument, "this instruction has no results");
    }
    ET_TRY(timeline.force(values));
    ET_ASSIGN(const Stop stop, context.debugger.arrive(StopReason::Step));
    return stopInfo(context.debugger, stop);
}

Result<Dict> branch(CommandContext& context, std::string_view arguments) {
    Timeline& timeline = context.debugger.timeline();
    if (!arguments.empty()) {
        ET_ASSIGN(const std::uint64_t id, branchArgument(timeline, "branch", arguments));
        ET_TRY(timeline.switchTo(id));
        ET_ASSIGN(const Stop stop, context.debugger.arrive(StopReason::Step));
        return stopInfo(context.debugger, stop);
    }
    const std::vector<BranchInfo> all = timeline.branches();
    List branches;
    for (std::size_t i = 0; i < all.size(); ++i) {
        branches.emplace_back(branchInfo(i, all[i]));
    }
    return makeInfo("branches",
                    {{"current", wholeCell(timeline.branch())}, {"branches", std::move(branches)}});
}

Result<Dict> diff(CommandContext& context, std::string_view arguments) {
    ET_TRY(requireExecution(context));
    Timeline& timeline = context.debugger.timeline();
    ET_ASSIGN(const std::uint64_t other, branchArgument(timeline, "diff", arguments));
    const std::size_t mine = timeline.branch();
    const TimelinePoint point = timeline.point();
    const auto here = tensorsOf(timeline);
    ET_TRY(timeline.switchTo(other));
    const auto there = tensorsOf(timeline);
    ET_TRY(timeline.switchTo(mine));
    ET_TRY(timeline.jump(point));
    ET_ASSIGN(List values, differences(context, here, there));
    return makeInfo("diff", {{"branch", wholeCell(other)},
                             {"equal", values.empty()},
                             {"compared", wholeCell(here.size())},
                             {"values", std::move(values)}});
}

Result<Dict> save(CommandContext& context, std::string_view arguments) {
    if (arguments.empty()) {
        return fail(ErrorCode::InvalidArgument, "save: expected a file name");
    }
    SavedRecording saved{.file = std::string(arguments),
                         .bytes = RecordingFile::encode(context.debugger.timeline())};
    if (saved.bytes.size() > RecordingFile::maxBytes) {
        return fail(ErrorCode::Limit, fmt::format("save: the recording has {} bytes; at most {} can be saved",
                                                  saved.bytes.size(), RecordingFile::maxBytes));
    }
    const std::size_t size = saved.bytes.size();
    context.saved = std::move(saved);
    List limits;
    for (std::string& each : RecordingFile::limitations(context.debugger.timeline())) {
        limits.emplace_back(std::move(each));
    }
    return makeInfo("saved", {{"file", std::string(arguments)},
                              {"bytes", wholeCell(size)},
                              {"not_replayable", std::move(limits)}});
}

}  // namespace et::tasks::debug_commands
