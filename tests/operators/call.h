#pragma once

#include "runtime/core/value.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/registry.h"
#include "tests/operators/case.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace et::test::operators {

/// How a case is laid out in memory and run.
struct Manner {
    std::size_t threads = 1;
    bool constants = false;    ///< all tensors except the first are weights
    std::uint64_t orders = 0;  ///< seed of the dim orders; 0 for none
    bool sameOrder = false;    ///< tensors with the same number of dimensions share a dim order
    bool growing = false;      ///< outputs are resized from a larger initial size
    bool overInput = false;  ///< the first output shares the memory of an input of the same size, if there is
                             ///< one
    std::byte before{0xA5};  ///< initial bytes of outputs
};

/// The arguments of a case in memory, with guard bytes around each tensor, and the operator's outputs.
class Call {
  public:
    Call(const Case& made, const Manner& manner);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    /// Prepares and runs the kernel, as a method does.
    [[nodiscard]] core::Result<> run(const kernels::KernelEntry& entry);

    /// Returns an output; mutated arguments follow the outputs.
    [[nodiscard]] const core::Tensor& output(std::size_t index) const { return *outputs[index]; }
    /// Describes changed bytes outside the outputs; empty if there are none.
    [[nodiscard]] std::string damage() const;
    [[nodiscard]] bool liesOverInput() const { return shared; }

  private:
    /// A tensor's bytes between two guards, with a copy from before the run.
    struct Block {
        std::vector<std::max_align_t> memory;
        std::vector<std::byte> before;
        std::size_t bytes = 0;
        bool isOutput = false;
    };

    core::Value& own(core::Value::Kind content);
    core::Value& add(const Argument& argument);
    core::Tensor place(const Array& array, bool isOutput);
    core::Value& addOutput(const Array& array);
    void makeOutput(core::Tensor& tensor);
    void addChange(core::Value& argument);
    [[nodiscard]] std::vector<std::uint8_t> orderFor(const Array& array);

    Manner how;
    std::uint64_t orderState = 0;
    bool shared = false;
    std::size_t tensors = 0;
    std::deque<core::Value> values;
    std::deque<std::string> texts;
    std::deque<Block> blocks;
    std::vector<core::Value*> arguments;
    std::vector<core::Tensor*> outputs;
    std::vector<core::Tensor*> inputs;
    kernels::ThreadPool* pool;
    kernels::ScratchMemory scratch{std::uint64_t{1} << 28};
    std::mt19937_64 random;
    std::unique_ptr<kernels::KernelState> state;
};

}  // namespace et::test::operators
