#include "tests/operators/call.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace et::test::operators {
namespace {

constexpr std::size_t guardBytes = 64;
constexpr auto guard = std::byte{0x3C};

/// Forbids access to memory around a tensor. Out-of-bounds reads are detected under AddressSanitizer, writes
/// always.
void forbid([[maybe_unused]] const std::byte* first, [[maybe_unused]] std::size_t bytes,
            [[maybe_unused]] bool on) {
#if defined(__SANITIZE_ADDRESS__)
    on ? __asan_poison_memory_region(first, bytes) : __asan_unpoison_memory_region(first, bytes);
#endif
}

kernels::ThreadPool& poolOf(std::size_t threads) {
    static kernels::ThreadPool single(1);
    static kernels::ThreadPool several(3);
    return threads > 1 ? several : single;
}

}  // namespace

Call::Call(const Case& made, const Manner& manner) : how(manner), pool(&poolOf(manner.threads)) {
    orderState = manner.orders;
    for (const Argument& argument : made.arguments) {
        arguments.push_back(&add(argument));
    }
    std::vector<core::Value*> written;
    for (const Expected& output : made.outputs) {
        written.push_back(&addOutput(output.array));
    }
    if (made.isList) {
        core::TensorListValue list;
        list.items = written;
        list.tensors.assign(written.size(), nullptr);
        arguments.push_back(&own(std::move(list)));
    } else {
        arguments.insert(arguments.end(), written.begin(), written.end());
    }
    for (const Change& change : made.changes) {
        addChange(*arguments[change.argument]);
    }
    for (Block& block : blocks) {
        const auto* first = reinterpret_cast<const std::byte*>(block.memory.data());
        block.before.assign(first, first + block.memory.size() * sizeof(std::max_align_t));
        forbid(first, guardBytes, true);
        forbid(first + guardBytes + block.bytes, block.before.size() - guardBytes - block.bytes, true);
    }
}

Call::~Call() {
    for (const Block& block : blocks) {
        forbid(reinterpret_cast<const std::byte*>(block.memory.data()), block.before.size(), false);
    }
}

core::Value& Call::own(core::Value::Kind content) {
    return values.emplace_back(std::move(content));
}

std::vector<std::uint8_t> Call::orderFor(const Array& array) {
    if (how.orders == 0) {
        return {};
    }
    orderState = how.sameOrder ? how.orders + array.sizes.size() : orderState + 1;
    Random random(orderState);
    const auto order = random.order(array.dim());
    return {order.begin(), order.end()};
}

core::Tensor Call::place(const Array& array, bool isOutput) {
    Sizes sizes = array.sizes;
    if (isOutput && how.growing) {
        for (std::int64_t& size : sizes) {
            size += 2;
        }
    }
    const auto order = orderFor(array);
    auto tensor = core::Tensor::make(array.dtype, sizes, nullptr, order);
    if (!tensor) {
        throw std::invalid_argument(tensor.error().message);
    }
    Block& block = blocks.emplace_back();
    block.bytes = tensor->bytes();
    block.isOutput = isOutput;
    block.memory.resize((block.bytes + 2 * guardBytes) / sizeof(std::max_align_t) + 1);
    auto* first = reinterpret_cast<std::byte*>(block.memory.data());
    std::fill_n(first, block.memory.size() * sizeof(std::max_align_t), guard);
    // A byte that is neither false nor true is not a valid bool.
    std::fill_n(first + guardBytes, block.bytes,
                array.dtype == ScalarType::Bool ? how.before & std::byte{1} : how.before);
    tensor->setMemory(first + guardBytes, block.bytes);
    return *tensor;
}

void Call::makeOutput(core::Tensor& tensor) {
    tensor.setConstant(false);
    for (Block& block : blocks) {
        const std::byte* first = reinterpret_cast<const std::byte*>(block.memory.data()) + guardBytes;
        block.isOutput = block.isOutput || first == tensor.raw();
    }
}

void Call::addChange(core::Value& argument) {
    if (auto* tensor = argument.as<core::Tensor>()) {  // an invalid argument may be none
        makeOutput(*tensor);
        outputs.push_back(tensor);
    }
}

core::Value& Call::addOutput(const Array& array) {
    core::Tensor tensor;
    if (how.overInput && outputs.empty()) {
        const auto under = std::ranges::find_if(inputs, [&](const core::Tensor* input) {
            return input->dtype() == array.dtype && std::ranges::equal(input->sizes(), array.sizes);
        });
        if (under != inputs.end()) {
            shared = true;
            tensor = **under;
            makeOutput(tensor);
        }
    }
    if (!shared || !outputs.empty()) {
        tensor = place(array, true);
        if (how.growing) {
            tensor.setShape(core::Tensor::Shape::Bounded);
        }
    }
    core::Value& value = own(tensor);
    outputs.push_back(value.as<core::Tensor>());
    return value;
}

core::Value& Call::add(const Argument& argument) {
    const auto tensor = [&](const Array& array) -> core::Value& {
        core::Tensor made = place(array, false);
        write(array, made);
        made.setConstant(how.constants && tensors > 0);
        ++tensors;
        core::Value& value = own(made);
        inputs.push_back(value.as<core::Tensor>());
        return value;
    };
    return std::visit(
        [&]<class T>(const T& content) -> core::Value& {
            if constexpr (std::is_same_v<T, Array>) {
                return tensor(content);
            } else if constexpr (std::is_same_v<T, std::string>) {
                return own(std::string_view(texts.emplace_back(content)));
            } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
                core::IntListValue list;
                for (const std::int64_t number : content) {
                    list.items.push_back(&own(number));
                    list.numbers.push_back(number);
                }
                return own(std::move(list));
            } else if constexpr (std::is_same_v<T, std::vector<double>>) {
                return own(core::DoubleListValue{content});
            } else if constexpr (std::is_same_v<T, Arrays> || std::is_same_v<T, OptionalArrays>) {
                core::TensorListValue list;
                for (const auto& item : content) {
                    if constexpr (std::is_same_v<T, Arrays>) {
                        list.items.push_back(&tensor(item));
                    } else {
                        list.items.push_back(item ? &tensor(*item) : nullptr);
                    }
                }
                list.optionalItems = std::is_same_v<T, OptionalArrays>;
                list.tensors.assign(list.items.size(), nullptr);
                return own(std::move(list));
            } else {
                return own(content);
            }
        },
        argument);
}

core::Result<> Call::run(const kernels::KernelEntry& entry) {
    kernels::KernelContext context(*pool, scratch, random);
    context.bind(state);
    if (entry.prepare) {
        ET_TRY(entry.prepare.call(context, arguments));
        scratch.release();
    }
    auto done = entry.kernel.call(context, arguments);
    scratch.release();
    return done;
}

std::string Call::damage() const {
    for (const Block& block : blocks) {
        const auto* first = reinterpret_cast<const std::byte*>(block.memory.data());
        forbid(first, block.before.size(), false);
        for (std::size_t at = 0; at < block.before.size(); ++at) {
            const bool isContent = at >= guardBytes && at < guardBytes + block.bytes;
            if (first[at] != block.before[at] && !(isContent && block.isOutput)) {
                return isContent        ? "an input was written to"
                       : block.isOutput ? "wrote outside of an output"
                                        : "wrote outside of an input";
            }
        }
    }
    return {};
}

}  // namespace et::test::operators
