#pragma once

#include "runtime/core/value.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/kv_caches.h"
#include "runtime/kernels/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Calls operators by name, like a program:
//
//     KernelCall call;
//     call.tensor<float>({2}, {1, 2});
//     call.add(2.0);
//     Tensor& out = call.emptyTensor<float>({2});
//     ASSERT_TRUE(call.run("aten::add.Scalar_out"));
//     EXPECT_THAT(elements<float>(out), ElementsAre(3, 4));
namespace et::test {

class KernelCall {
  public:
    explicit KernelCall(std::size_t threads = 1) : pool(threads) {}

    /// Appends a tensor with `elements` in memory order and dim order `order`.
    template <class T>
    core::Tensor& tensor(std::vector<std::int64_t> sizes, const std::vector<T>& elements,
                         std::vector<std::uint8_t> order = {}) {
        core::Tensor& made = emptyTensor<T>(std::move(sizes), std::move(order));
        EXPECT_EQ(static_cast<std::size_t>(made.numel()), elements.size());
        std::copy(elements.begin(), elements.end(), made.mutableData<T>());
        return made;
    }

    /// Appends a tensor of zeros of fixed size.
    template <class T>
    core::Tensor& emptyTensor(std::vector<std::int64_t> sizes, std::vector<std::uint8_t> order = {}) {
        return emptyTensorOf(core::scalarTypeOf<T>, std::move(sizes), std::move(order));
    }
    /// Same as emptyTensor(), for a dtype without a C++ type.
    core::Tensor& emptyTensorOf(core::ScalarType dtype, std::vector<std::int64_t> sizes,
                                std::vector<std::uint8_t> order = {}) {
        auto made = core::Tensor::make(dtype, sizes, nullptr, order);
        EXPECT_TRUE(made.has_value());
        memory.emplace_back(made->bytes() / sizeof(std::max_align_t) + 1);
        made->setMemory(reinterpret_cast<std::byte*>(memory.back().data()), made->bytes());
        std::ranges::fill(made->rawBytes(), std::byte{});  // includes the padding of max_align_t
        return *add(*made).template as<core::Tensor>();
    }

    /// Appends a tensor of zeros that can be resized to any sizes with at most as many elements.
    template <class T>
    core::Tensor& resizableTensor(std::vector<std::int64_t> sizes, std::vector<std::uint8_t> order = {}) {
        core::Tensor& made = emptyTensor<T>(std::move(sizes), std::move(order));
        made.setShape(core::Tensor::Shape::Bounded);
        return made;
    }

    core::Value& add(core::Value::Kind content) {
        values.emplace_back(std::move(content));
        arguments.push_back(&values.back());
        return values.back();
    }
    core::Value& none() { return add(std::monostate{}); }
    core::Value& ints(std::initializer_list<std::int64_t> numbers) {
        core::IntListValue list;
        for (const std::int64_t number : numbers) {
            hidden.emplace_back(core::Value::Kind(number));
            list.items.push_back(&hidden.back());
            list.numbers.push_back(number);
        }
        return add(std::move(list));
    }
    /// Moves the last `count` arguments into a list.
    core::Value& list(std::size_t count) {
        core::TensorListValue content;
        content.items.assign(arguments.end() - static_cast<std::ptrdiff_t>(count), arguments.end());
        content.tensors.assign(count, nullptr);
        arguments.resize(arguments.size() - count);
        return add(std::move(content));
    }

    core::Result<> run(std::string_view name) {
        const kernels::KernelEntry* entry = kernels::builtin().find(name);
        return entry == nullptr ? core::fail(core::ErrorCode::NotFound, "no such operator") : run(*entry);
    }
    /// Prepares (once) and runs the kernel.
    core::Result<> run(const kernels::KernelEntry& entry) {
        kernels::KernelContext context(pool, scratch, random);
        context.bind(state);
        context.bind(caches);
        if (entry.prepare && !std::exchange(prepared, true)) {
            ET_TRY(entry.prepare.call(context, arguments));
            scratch.release();
        }
        auto done = entry.kernel.call(context, arguments);
        scratch.release();
        return done;
    }

    /// Caches of kvcache::update_and_attend for run().
    void use(kernels::KvCaches& kept) { caches = &kept; }

    [[nodiscard]] core::Value& argument(std::size_t index) { return *arguments[index]; }

  private:
    kernels::ThreadPool pool;
    kernels::ScratchMemory scratch{std::uint64_t{1} << 30};
    std::mt19937_64 random;
    std::unique_ptr<kernels::KernelState> state;
    kernels::KvCaches* caches = nullptr;
    bool prepared = false;
    std::deque<core::Value> values;
    std::deque<core::Value> hidden;
    std::deque<std::vector<std::max_align_t>> memory;
    std::vector<core::Value*> arguments;
};

/// 1, 2, 3, …
template <class T>
std::vector<T> counted(std::size_t count) {
    std::vector<T> numbers(count);
    std::iota(numbers.begin(), numbers.end(), T{1});
    return numbers;
}

/// The elements in memory order.
template <class T>
std::vector<T> elements(const core::Tensor& tensor) {
    const T* first = tensor.data<T>();
    return std::vector<T>(first, first + tensor.numel());
}

/// Error message of a call that must fail; "no error" if it succeeds. `kernel`: a name or an entry.
template <class Kernel>
std::string errorOf(KernelCall& call, const Kernel& kernel) {
    const auto done = call.run(kernel);
    return done ? "no error" : done.error().message;
}

}  // namespace et::test
