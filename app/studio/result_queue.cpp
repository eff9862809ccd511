#include "app/studio/result_queue.h"

#include <QCoreApplication>
#include <QMetaObject>
#include <QPointer>

#include <utility>

namespace et::studio {

ResultQueue::ResultQueue(QObject* parent) : QObject(parent) {
    // A timer, because posted events are all delivered before anything is painted. Single-shot, because the
    // receiver of a result may run a nested event loop, which must process the following results.
    turn.setSingleShot(true);
    turn.setInterval(0);
    connect(&turn, &QTimer::timeout, this, &ResultQueue::takeNext);
}

ResultQueue& ResultQueue::shared() {
    static QPointer<ResultQueue> queue;
    if (queue == nullptr) {
        queue = new ResultQueue(QCoreApplication::instance());
    }
    return *queue;
}

void ResultQueue::add(std::function<void()> take) {
    const std::scoped_lock lock(mutex);
    waiting.push_back(std::move(take));
    if (waiting.size() == 1) {
        QMetaObject::invokeMethod(&turn, "start", Qt::QueuedConnection);
    }
}

void ResultQueue::takeNext() {
    std::function<void()> take;
    {
        const std::scoped_lock lock(mutex);
        if (waiting.empty()) {
            return;
        }
        take = std::move(waiting.front());
        waiting.pop_front();
        if (!waiting.empty()) {
            turn.start();
        }
    }
    take();
}

}  // namespace et::studio
