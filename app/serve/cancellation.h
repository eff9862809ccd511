#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace et::serve {

/// Ends the calls of a connection early, when Python has closed it. Requested by another thread.
class Cancellation {
  public:
    void request();
    [[nodiscard]] bool isRequested() const { return requested; }

    /// While it exists, a request to the current Cancellation of this thread sets `flag`, which is initially
    /// false.
    class Link {
      public:
        explicit Link(std::atomic<bool>& flag);
        Link(const Link&) = delete;
        Link& operator=(const Link&) = delete;
        ~Link();

      private:
        Cancellation* of;
        std::atomic<bool>* outer = nullptr;
    };

  private:
    std::mutex guard;
    std::atomic<bool> requested = false;
    std::atomic<bool>* linked = nullptr;
};

/// Returns the result of `work(cancel)`, where `cancel` becomes true if the call is cancelled.
template <class Work>
[[nodiscard]] auto cancellable(Work&& work) {
    std::atomic<bool> cancel = false;
    const Cancellation::Link link(cancel);
    return work(std::as_const(cancel));
}

/// Calls `work`, and sets `cancel` when the time limit has passed. Throws LimitError in that case.
void withTimeLimit(std::optional<double> seconds, std::atomic<bool>& cancel,
                   const std::function<void()>& work);

}  // namespace et::serve
