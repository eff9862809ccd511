#include "app/serve/cancellation.h"

#include "app/serve/current.h"
#include "app/serve/failure.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <stop_token>
#include <thread>

namespace et::serve {

void Cancellation::request() {
    const std::lock_guard one(guard);
    requested = true;
    if (linked != nullptr) {
        *linked = true;
    }
}

Cancellation::Link::Link(std::atomic<bool>& flag) : of(Current<Cancellation>::get()) {
    flag = false;
    if (of != nullptr) {
        const std::lock_guard one(of->guard);
        outer = std::exchange(of->linked, &flag);
        flag = of->requested.load();
    }
}

Cancellation::Link::~Link() {
    if (of != nullptr) {
        const std::lock_guard one(of->guard);
        of->linked = outer;
    }
}

void withTimeLimit(std::optional<double> seconds, std::atomic<bool>& cancel,
                   const std::function<void()>& work) {
    constexpr double forever = 1e9;  // a duration cannot represent every number of seconds
    if (!seconds || *seconds > forever) {
        work();
        return;
    }
    std::atomic<bool> isLate = false;
    {
        std::mutex guard;
        std::condition_variable_any ended;
        const std::jthread clock([&](const std::stop_token& stop) {
            std::unique_lock lock(guard);
            ended.wait_for(lock, stop, std::chrono::duration<double>(*seconds), [] { return false; });
            if (!stop.stop_requested()) {
                isLate = true;
                cancel = true;
            }
        });
        work();
    }
    if (isLate) {
        raise(
            {.code = core::ErrorCode::Limit, .message = fmt::format("did not finish within {} s", *seconds)});
    }
}

}  // namespace et::serve
