#pragma once

#include "inspector/findings/answers.h"

#include <QFrame>
#include <QString>

namespace et::visualizers {

/// An answer: the question, a large value, and below it the detail. The detail is a link if `link` is not
/// empty.
class AnswerTile : public QFrame {
    Q_OBJECT

  public:
    AnswerTile(const inspector::Answer& answer, const QString& link, QWidget* parent);

  signals:
    void linkFollowed(const QString& link);
};

}  // namespace et::visualizers
