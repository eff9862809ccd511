#pragma once

#include "inspector/findings/answers.h"

#include <QWidget>

namespace et::visualizers {

/// The slowest operators, one a row: name as a link, a bar whose length is the share of the run, time, share
/// and source line.
class OperatorBars : public QWidget {
    Q_OBJECT

  public:
    OperatorBars(const inspector::Answers& answers, QWidget* parent);

  signals:
    /// Emitted with operatorLink() of the chosen operator.
    void linkFollowed(const QString& link);
};

}  // namespace et::visualizers
