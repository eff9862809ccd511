#include "app/embed/convert.h"
#include "app/embed/tensor_access.h"
#include "runtime/core/dim_order.h"
#include "runtime/kernels/elements.h"
#include "runtime/kernels/strided_copy.h"
#include "runtime/kernels/thread_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace et_inspect {
namespace {

using detail::TensorAccess;
using EngineTensor = et::core::Tensor;

constexpr std::size_t alignment = 64;

/// Memory for elements, not initialized; null if there is not enough.
std::shared_ptr<std::byte> allocate(std::size_t bytes) {
    void* const memory = std::aligned_alloc(
        alignment, (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment);
    return {static_cast<std::byte*>(memory), [](std::byte* each) { std::free(each); }};
}

Error noMemory(std::size_t bytes) {
    return detail::failure(ErrorCode::Limit, fmt::format("cannot allocate {} bytes", bytes));
}

/// Bytes of a tensor. Errors: InvalidArgument.
Result<std::size_t> bytesOf(const Sizes& sizes, DType dtype) {
    const auto bytes = et::core::tensorBytes(static_cast<std::int64_t>(dtype), sizes);
    if (!detail::dtypeOf(detail::engineType(dtype)) || !bytes) {
        return detail::failure(ErrorCode::InvalidArgument,
                               fmt::format("{} {} is not a tensor", name(dtype), et::core::sizesText(sizes)));
    }
    return static_cast<std::size_t>(*bytes);
}

/// An engine's tensor over the same memory; the shape must be valid.
EngineTensor engineTensor(const Tensor& tensor) {
    const Tensor::Impl& content = TensorAccess::of(tensor);
    return EngineTensor::make(detail::engineType(content.dtype), content.sizes, content.data, content.order)
        .value_or(EngineTensor());
}

/// Elements in memory order, converted by way of T.
template <class T>
void convert(std::size_t count, const std::byte* from, DType fromType, std::byte* to, DType toType) {
    constexpr std::size_t block = 256;
    const auto load = et::kernels::elementLoader<T>(detail::engineType(fromType));
    const auto store = et::kernels::elementStorer<T>(detail::engineType(toType));
    T numbers[block];
    for (std::size_t start = 0; start < count; start += block) {
        const std::size_t length = std::min(block, count - start);
        load(from + start * element_size(fromType), 1, numbers, length);
        store(numbers, to + start * element_size(toType), 1, length);
    }
}

bool isIntegral(DType dtype) {
    const et::core::ScalarType type = detail::engineType(dtype);
    return et::core::isIntegral(type) || type == et::core::ScalarType::Bool;
}

}  // namespace

Tensor::Impl::~Impl() {
    if (release) {
        release(data);
    }
}

Tensor::Tensor() : impl(std::make_shared<Impl>()) {
}
Tensor::Tensor(std::shared_ptr<Impl> content) : impl(std::move(content)) {
}

DType Tensor::dtype() const {
    return impl->dtype;
}

const Sizes& Tensor::sizes() const {
    return impl->sizes;
}

std::int64_t Tensor::numel() const {
    return static_cast<std::int64_t>(nbytes() / element_size(impl->dtype));
}

std::size_t Tensor::nbytes() const {
    return static_cast<std::size_t>(
        et::core::tensorBytes(static_cast<std::int64_t>(impl->dtype), impl->sizes).value_or(0));
}

const std::vector<std::uint8_t>& Tensor::dim_order() const {
    return impl->order;
}

Sizes Tensor::strides() const {
    Sizes steps(impl->sizes.size());
    std::int64_t step = 1;
    for (auto place = impl->order.rbegin(); place != impl->order.rend(); ++place) {
        steps[*place] = step;
        step *= std::max<std::int64_t>(impl->sizes[*place], 1);
    }
    return steps;
}

void* Tensor::raw_data() {
    return impl->data;
}

const void* Tensor::raw_data() const {
    return impl->data;
}

Result<Tensor> Tensor::clone() const {
    Result<Tensor> made = empty(impl->sizes, impl->dtype);
    if (!made || numel() == 0) {
        return made;
    }
    const et::kernels::ThreadPool thread;
    const EngineTensor from = engineTensor(*this);
    EngineTensor to = engineTensor(*made);
    if (auto copied = et::kernels::copyElements(thread, et::kernels::viewOf(from), et::kernels::viewOf(to));
        !copied) {
        return detail::errorOf(copied.error());
    }
    return made;
}

Result<Tensor> Tensor::clone(DType dtype) const {
    Result<Tensor> same = clone();
    if (!same || dtype == impl->dtype) {
        return same;
    }
    Result<Tensor> made = empty(impl->sizes, dtype);
    if (made) {
        const bool exact = isIntegral(dtype) && isIntegral(impl->dtype);
        (exact ? convert<std::int64_t> : convert<double>)(static_cast<std::size_t>(numel()),
                                                          TensorAccess::of(*same).data, impl->dtype,
                                                          TensorAccess::of(*made).data, dtype);
    }
    return made;
}

Result<void> Tensor::resize(Sizes sizes) {
    const Result<std::size_t> bytes = bytesOf(sizes, impl->dtype);
    if (!bytes) {
        return bytes.error();
    }
    if (*bytes > impl->capacity) {
        if (impl->owned == nullptr && impl->data != nullptr) {
            return detail::failure(
                ErrorCode::InvalidArgument,
                fmt::format("resize: {} {} needs {} bytes, the memory has {}", name(impl->dtype),
                            et::core::sizesText(sizes), *bytes, impl->capacity));
        }
        auto memory = allocate(*bytes);
        if (memory == nullptr) {
            return noMemory(*bytes);
        }
        const std::size_t used = nbytes();
        std::copy_n(impl->data, used, memory.get());
        std::fill(memory.get() + used, memory.get() + *bytes, std::byte{});
        impl->data = memory.get();
        impl->owned = std::move(memory);
        impl->capacity = *bytes;
    } else if (*bytes > nbytes()) {
        std::fill(impl->data + nbytes(), impl->data + *bytes, std::byte{});
    }
    if (sizes.size() != impl->sizes.size()) {
        impl->order = et::core::rowMajorOrder(sizes.size());
    }
    impl->sizes = std::move(sizes);
    return {};
}

Result<Tensor> empty(Sizes sizes, DType dtype) {
    const Result<std::size_t> bytes = bytesOf(sizes, dtype);
    if (!bytes) {
        return bytes.error();
    }
    auto impl = std::make_shared<Tensor::Impl>();
    impl->owned = allocate(*bytes);
    if (impl->owned == nullptr) {
        return noMemory(*bytes);
    }
    impl->dtype = dtype;
    impl->order = et::core::rowMajorOrder(sizes.size());
    impl->sizes = std::move(sizes);
    impl->data = impl->owned.get();
    impl->capacity = *bytes;
    return TensorAccess::wrap(std::move(impl));
}

Result<Tensor> from_blob(void* data, Sizes sizes, DType dtype, std::function<void(void*)> release,
                         std::vector<std::uint8_t> dim_order) {
    const Result<std::size_t> bytes = bytesOf(sizes, dtype);
    if (!bytes) {
        return bytes.error();
    }
    std::vector<std::uint8_t> order = et::core::rowMajorOrder(sizes.size());
    if (!dim_order.empty()) {
        if (!std::ranges::is_permutation(dim_order, order)) {
            return detail::failure(ErrorCode::InvalidArgument,
                                   "from_blob: the dim order is not a permutation of the dimensions");
        }
        order = std::move(dim_order);
    }
    if (data == nullptr && *bytes != 0) {
        return detail::failure(ErrorCode::InvalidArgument, "from_blob: null");
    }
    auto impl = std::make_shared<Tensor::Impl>();
    impl->dtype = dtype;
    impl->sizes = std::move(sizes);
    impl->order = std::move(order);
    impl->data = static_cast<std::byte*>(data);
    impl->capacity = *bytes;
    impl->release = std::move(release);
    return TensorAccess::wrap(std::move(impl));
}

namespace detail {

Result<Tensor> TensorAccess::show(const et::core::Tensor& tensor, std::shared_ptr<const void> keptAlive) {
    const auto dtype = dtypeOf(tensor.dtype());
    if (!dtype) {
        return failure(ErrorCode::Unsupported, fmt::format("tensors of {} are not supported",
                                                           et::core::scalarTypeName(tensor.dtype())));
    }
    auto impl = std::make_shared<Tensor::Impl>();
    impl->dtype = *dtype;
    impl->sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
    impl->order.assign(tensor.dimOrder().begin(), tensor.dimOrder().end());
    impl->data = tensor.raw();
    impl->capacity = tensor.bytes();
    impl->keptAlive = std::move(keptAlive);
    return wrap(std::move(impl));
}

std::span<std::byte> TensorAccess::bytes(const Tensor& tensor) {
    return {of(tensor).data, tensor.nbytes()};
}

}  // namespace detail
}  // namespace et_inspect
