#pragma once

#include "app/serve/calls.h"
#include "app/serve/cancellation.h"
#include "app/serve/channel.h"
#include "app/serve/kernel_caller.h"

#include <memory>

namespace et::serve {

/// A connection to one thread of the Python process; calls are answered one after another.
class Connection final : public KernelCaller {
  public:
    Connection(Channel over, ObjectTable& table) : channel(std::move(over)), calls(table), objects(table) {}

    /// Answers calls until the connection is closed or receives a malformed frame.
    void serve();
    /// Ends the current call early.
    void cancel() { cancellation.request(); }
    [[nodiscard]] int descriptor() const { return channel.descriptor(); }

    [[nodiscard]] core::Result<List> call(std::uint64_t kernel, List inputs, List results) override;

  private:
    [[nodiscard]] core::Result<> answer(Frame frame);
    [[nodiscard]] core::Result<List> readReply(const Frame& frame);
    [[nodiscard]] core::Result<> takeArena(Frame& frame);

    Channel channel;
    Calls calls;
    ObjectTable& objects;
    Cancellation cancellation;
    std::shared_ptr<const SharedMemory> arena;  ///< memory that arguments refer to
};

}  // namespace et::serve
