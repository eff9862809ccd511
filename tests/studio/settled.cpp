#include "tests/studio/settled.h"

#include "app/studio/graph/graph_panel.h"
#include "app/studio/result_queue.h"

#include <QApplication>
#include <QDeadlineTimer>
#include <QImage>
#include <QPixmap>
#include <QTest>
#include <QThreadPool>
#include <QWidget>

#include <algorithm>
#include <memory>
#include <utility>

namespace et::test {

namespace {

constexpr int equalPictures = 3;
constexpr int longestWork = 60'000;    // milliseconds
constexpr int longestChanges = 5'000;  // milliseconds

/// True if a part of the widget is painted.
bool isPainted(const QWidget& widget) {
    QRect part = widget.rect();
    for (const QWidget* each = &widget; !each->isWindow(); each = each->parentWidget()) {
        part = part.translated(each->pos()).intersected(each->parentWidget()->rect());
    }
    return widget.isVisible() && !part.isEmpty();
}

/// True while results of threads, or a graph that is laid out after a delay, are still to come.
bool isBusy(const QWidget& window) {
    return QThreadPool::globalInstance()->activeThreadCount() > 0 ||
           std::ranges::any_of(
               window.findChildren<studio::GraphPanel*>(),
               [](const studio::GraphPanel* each) { return isPainted(*each) && each->busy(); });
}

/// Delivers all results that threads have left in the queue.
bool deliverResults() {
    const auto isDone = std::make_shared<bool>(false);
    studio::ResultQueue::shared().add([isDone] { *isDone = true; });
    return QTest::qWaitFor([&] { return *isDone; }, longestChanges);
}

}  // namespace

bool settle(QWidget& window) {
    QApplication::setCursorFlashTime(0);  // a blinking cursor changes the picture
    const QDeadlineTimer end(longestWork);
    QDeadlineTimer endOfChanges(longestChanges);
    QImage picture;
    int equal = 0;
    while (equal < equalPictures || isBusy(window)) {
        if (isBusy(window)) {
            if (!QTest::qWaitFor([&] { return !isBusy(window); }, end)) {
                return false;
            }
            endOfChanges.setRemainingTime(longestChanges);
            equal = 0;
        }
        if (!deliverResults()) {
            return false;
        }
        QTest::qWait(0);  // also processes deferred deletions
        QImage now = window.grab().toImage();
        equal = now == picture ? equal + 1 : 1;
        picture = std::move(now);
        if (equal < equalPictures && endOfChanges.hasExpired()) {
            return false;
        }
    }
    return true;
}

}  // namespace et::test
