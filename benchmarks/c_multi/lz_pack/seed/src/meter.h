/* Counts the basic blocks that run between start and stop in files built with -fsanitize-coverage=trace-pc. */
#ifndef METER_H
#define METER_H

void meter_start(void);
unsigned long meter_stop(void);

#endif
