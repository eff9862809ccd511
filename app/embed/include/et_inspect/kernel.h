#pragma once

#include <et_inspect/api.h>
#include <et_inspect/result.h>
#include <et_inspect/tensor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace et_inspect {

/// The arguments of an operator that a kernel of the caller computes, numbered as in the operator's schema,
/// results last. Valid during the call.
class ET_INSPECT_API KernelCall {
  public:
    std::size_t size() const;
    /// None for an optional argument.
    bool is_none(std::size_t index) const;
    /// A tensor over the argument's memory. Its handle must not be kept. Errors: InvalidArgument (no such
    /// argument, another kind).
    Result<Tensor> tensor(std::size_t index) const;
    /// A result, resized. Errors: InvalidArgument (no tensor, a constant, a shape that its memory cannot
    /// hold).
    Result<Tensor> output(std::size_t index, const Sizes& sizes);
    Result<std::int64_t> integer(std::size_t index) const;
    /// An integer is converted.
    Result<double> number(std::size_t index) const;
    Result<bool> flag(std::size_t index) const;
    Result<std::string> text(std::size_t index) const;
    Result<std::vector<std::int64_t>> integers(std::size_t index) const;
    /// Calls `work(begin, end)` on the threads of the module for ranges that cover [0, count), of at least
    /// `grain` items.
    void parallel_for(std::size_t count, std::size_t grain,
                      const std::function<void(std::size_t, std::size_t)>& work) const;

  private:
    friend struct KernelCallAccess;
    KernelCall() = default;
    void* context = nullptr;
    void* const* arguments = nullptr;
    std::size_t count = 0;
};

/// An operator computed by a function of the caller. It replaces a built-in kernel of the same name. A
/// process can use 256 of them at a time.
struct Kernel {
    std::string name{};         ///< "my::relu6.out"
    std::size_t arguments = 0;  ///< of the schema, with its results
    std::size_t results = 1;    ///< the last arguments, which the function writes
    std::function<Result<void>(KernelCall&)> compute{};
};

}  // namespace et_inspect
