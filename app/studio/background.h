#pragma once

#include "app/studio/result_queue.h"

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace et::studio {

/// Work on a thread whose result comes to the GUI thread, for a QObject, which owns this. One at a time: a
/// new start forgets the one before. Nothing waits: a thread may outlive its owner.
template <class T>
class Background {
  public:
    /// `owner` is the object that has this as a member.
    explicit Background(QObject* owner) : context(owner), results(ResultQueue::shared()) {}
    ~Background() { forget(); }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    /// `work` owns all that it needs.
    void start(std::function<T()> work, std::function<void(const T&)> done) {
        forget();
        mailbox = std::make_shared<Mailbox>();
        mailbox->receiver = context;
        QThreadPool::globalInstance()->start(
            [this, queue = &results, box = mailbox, work = std::move(work), done = std::move(done)] {
                const T result = work();
                const std::scoped_lock lock(box->mutex);
                if (box->receiver == nullptr) {
                    return;  // `this` may be gone
                }
                queue->add([this, box, result, done] {
                    if (box->receiver != nullptr) {  // else forgotten after it was queued: `this` may be gone
                        mailbox = nullptr;
                        done(result);
                    }
                });
            });
    }

    /// No result of what runs now will come.
    void forget() {
        if (mailbox) {
            const std::scoped_lock lock(mailbox->mutex);
            mailbox->receiver = nullptr;
        }
        mailbox = nullptr;
    }

    [[nodiscard]] bool running() const { return mailbox != nullptr; }

  private:
    struct Mailbox {
        std::mutex mutex;
        QObject* receiver = nullptr;  ///< null once the result is not wanted any more
    };

    QObject* context;
    ResultQueue& results;
    std::shared_ptr<Mailbox> mailbox;  ///< of what runs now; null when idle
};

}  // namespace et::studio
