#pragma once

#include "app/studio/result_queue.h"

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace et::studio {

/// Runs work on a thread and delivers its result to the GUI thread, for the QObject that owns this. One task
/// at a time: a new start drops the previous result. Never blocks: a thread may outlive its owner.
template <class T>
class Background {
  public:
    /// `owner` is the object that contains this as a member.
    explicit Background(QObject* owner) : context(owner), results(ResultQueue::shared()) {}
    ~Background() { forget(); }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    /// `work` must own all its data.
    void start(std::function<T()> work, std::function<void(const T&)> done) {
        forget();
        mailbox = std::make_shared<Mailbox>();
        mailbox->receiver = context;
        QThreadPool::globalInstance()->start(
            [this, queue = &results, box = mailbox, work = std::move(work), done = std::move(done)] {
                const T result = work();
                const std::scoped_lock lock(box->mutex);
                if (box->receiver == nullptr) {
                    return;  // `this` may have been deleted
                }
                queue->add([this, box, result, done] {
                    if (box->receiver != nullptr) {  // otherwise dropped after it was queued: `this` may have
                                                     // been deleted
                        mailbox = nullptr;
                        done(result);
                    }
                });
            });
    }

    /// Drops the result of the running task.
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
        QObject* receiver = nullptr;  ///< null once the result was dropped
    };

    QObject* context;
    ResultQueue& results;
    std::shared_ptr<Mailbox> mailbox;  ///< of the running task; null when idle
};

}  // namespace et::studio
