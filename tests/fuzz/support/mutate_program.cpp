#include "tests/fuzz/support/mutate_program.h"

#include "runtime/builder/program_writer.h"
#include "runtime/core/scalar_type.h"
#include "runtime/kernels/builtin.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace et::fuzz {
namespace {

/// Numbers that are critical for arithmetic on sizes, dimensions and indices.
constexpr std::array<std::int64_t, 24> numbers{
    0,         1,        -1, 2,   -2,  3,   4,   5,     7,         8,         15,
    16,        17,       31, 100, 255, 256, -17, 65536, INT32_MAX, INT32_MIN, std::int64_t{1} << 40,
    INT64_MAX, INT64_MIN};
constexpr std::array<double, 12> reals{0.0,
                                       -0.0,
                                       1.0,
                                       -1.0,
                                       0.5,
                                       1e-30,
                                       1e30,
                                       -1e30,
                                       1e308,
                                       std::numeric_limits<double>::infinity(),
                                       -std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::quiet_NaN()};

class Mutation {
  public:
    Mutation(program::Method& mutated, std::mt19937_64& generator) : method(mutated), random(generator) {}

    void apply() {
        switch (below(8)) {
            case 0:
            case 1:
            case 2:
            case 3:
                return changeValue();
            case 4:
            case 5:
                return changeInstruction();
            case 6:
                return swapValues();
            default:
                return changeOperator();
        }
    }

  private:
    std::size_t below(std::size_t count) { return count == 0 ? 0 : random() % count; }
    template <class List>
    auto pick(const List& list) {
        return list[below(std::size(list))];
    }

    void changeValue() {
        if (method.values.empty()) {
            return;
        }
        method.values[below(method.values.size())].visit([&](auto& content) { change(content); });
    }

    void change(std::monostate&) {}
    void change(std::int64_t& number) {
        number = below(4) == 0 && number < INT64_MAX ? number + 1 : pick(numbers);
    }
    void change(bool& truth) { truth = !truth; }
    void change(double& number) { number = pick(reals); }
    void change(std::string_view& text) { text = text.substr(0, below(text.size() + 1)); }
    void change(program::DoubleList& list) {
        if (!list.items.empty()) {
            list.items[below(list.items.size())] = pick(reals);
        }
    }
    void change(program::BoolList& list) { list.items.resize(below(8), true); }
    void change(program::IntList& list) { changeList(list.items); }
    void change(program::TensorList& list) { changeList(list.items); }
    void change(program::OptionalTensorList& list) {
        if (!list.items.empty()) {
            list.items[below(list.items.size())].reset();
        }
    }

    /// Shortens, lengthens, or duplicates the first item; items keep the kind that the reader requires.
    void changeList(std::vector<program::ValueId>& items) {
        if (items.empty()) {
            return;
        }
        switch (below(3)) {
            case 0:
                items.pop_back();
                return;
            case 1:
                items.push_back(pick(items));
                return;
            default:
                items[below(items.size())] = items[0];
        }
    }

    void change(program::TensorInfo& info) {
        switch (below(6)) {
            case 0:
                info.scalarType = pick(core::scalarTypes()).code;
                break;
            case 1:
            case 2:
                changeSizes(info);
                break;
            case 3:
                std::shuffle(info.dimOrder.begin(), info.dimOrder.end(), random);
                break;
            case 4:
                info.dynamism = static_cast<program::ShapeDynamism>(below(3));
                break;
            default:
                moveInPlan(info);
                break;
        }
    }

    void changeSizes(program::TensorInfo& info) {
        if (info.sizes.empty() || below(6) == 0) {
            info.sizes.resize(info.sizes.size() + 1);
            std::ranges::rotate(info.sizes, info.sizes.end() - 1);
            info.sizes.front() = static_cast<std::int64_t>(below(3));
        } else if (below(6) == 0) {
            info.sizes.resize(info.sizes.size() - 1);
        } else if (below(2) == 0) {
            std::swap(info.sizes[below(info.sizes.size())], info.sizes[below(info.sizes.size())]);
        } else {
            info.sizes[below(info.sizes.size())] = static_cast<std::int64_t>(below(40));
        }
        if (info.dimOrder.size() != info.sizes.size()) {
            info.dimOrder.resize(info.sizes.size());
            for (std::size_t i = 0; i < info.dimOrder.size(); ++i) {
                info.dimOrder[i] = static_cast<std::uint8_t>(i);
            }
        }
    }

    void moveInPlan(program::TensorInfo& info) {
        if (info.allocation) {
            info.allocation->offset = below(64) * 8;
        } else {
            info.dynamism = program::ShapeDynamism::Unbounded;
        }
    }

    program::Instruction* anyInstruction() {
        if (method.chains.empty()) {
            return nullptr;
        }
        auto& instructions = method.chains[below(method.chains.size())].instructions;
        return instructions.empty() ? nullptr : &instructions[below(instructions.size())];
    }

    program::ValueId anyValue() {
        return program::ValueId(static_cast<std::uint32_t>(below(method.values.size())));
    }

    void changeInstruction() {
        program::Instruction* instruction = anyInstruction();
        if (instruction == nullptr || method.values.empty()) {
            return;
        }
        if (auto* call = std::get_if<program::KernelCall>(instruction)) {
            changeArguments(call->args);
        } else if (auto* delegate = std::get_if<program::DelegateCall>(instruction)) {
            changeArguments(delegate->args);
        } else if (auto* move = std::get_if<program::MoveCall>(instruction)) {
            move->from = anyValue();
        } else if (auto* jump = std::get_if<program::JumpFalseCall>(instruction)) {
            jump->destination = core::InstructionId(static_cast<std::int32_t>(below(6)));
        } else if (auto* free = std::get_if<program::FreeCall>(instruction)) {
            free->value = anyValue();
        }
    }

    void changeArguments(std::vector<program::ValueId>& arguments) {
        if (arguments.empty()) {
            return;
        }
        switch (below(4)) {
            case 0:
                std::swap(arguments[below(arguments.size())], arguments[below(arguments.size())]);
                return;
            case 1:
                arguments[below(arguments.size())] = pick(arguments);
                return;
            case 2:
                arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(below(arguments.size())));
                return;
            default:
                arguments[below(arguments.size())] = anyValue();
        }
    }

    /// Only swaps tensors with tensors: lists require items of certain kinds.
    void swapValues() {
        if (method.values.empty()) {
            return;
        }
        auto& left = method.values[below(method.values.size())];
        auto& right = method.values[below(method.values.size())];
        if (left.index() == right.index()) {
            std::swap(left, right);
        }
    }

    void changeOperator() {
        if (method.operators.empty() || below(4) != 0) {
            return changeValue();
        }
        const auto operators = kernels::builtin().all();
        const std::string_view name = operators[below(operators.size())]->name;
        const std::size_t dot = name.rfind('.');
        auto& op = method.operators[below(method.operators.size())];
        op.name = name.substr(0, dot);
        op.overload = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
    }

    program::Method& method;
    std::mt19937_64& random;
};

/// Adjusts data to the bytes that sizes and dtype require; otherwise the reader would reject the program.
void fitData(program::Method& method, std::vector<std::vector<std::byte>>& kept) {
    for (program::Value& value : method.values) {
        auto* info = value.as<program::TensorInfo>();
        if (info == nullptr || info->initialData != program::InitialData::Program) {
            continue;
        }
        const auto need = core::tensorBytes(info->scalarType, info->sizes);
        if (need && *need <= 1 << 16 && static_cast<std::size_t>(*need) > info->data.size()) {
            auto& grown = kept.emplace_back(info->data.begin(), info->data.end());
            grown.resize(static_cast<std::size_t>(*need), std::byte{0x3F});
            info->data = grown;
        } else if (need && static_cast<std::size_t>(*need) < info->data.size()) {
            info->data = info->data.first(static_cast<std::size_t>(*need));
        }
        info->byteSize = need;
    }
}

}  // namespace

std::vector<std::byte> mutateProgram(const program::Program& program, std::mt19937_64& random) {
    builder::ProgramContent content{
        .version = program.version, .methods = program.methods, .namedData = program.namedData};
    std::vector<std::vector<std::byte>> kept;
    kept.reserve(1024);
    for (program::Method& method : content.methods) {
        for (std::size_t count = 1 + random() % 3; count > 0; --count) {
            Mutation(method, random).apply();
        }
        if (method.values.size() < kept.capacity()) {
            fitData(method, kept);
        }
        for (program::Arena& arena : method.arenas) {
            arena.bytes = arena.bytes == 0 ? 0 : std::min<std::uint64_t>(arena.bytes + 512, 1U << 20);
        }
    }
    auto written = builder::writeProgram(content);
    return written ? std::move(*written) : std::vector<std::byte>{};
}

}  // namespace et::fuzz
